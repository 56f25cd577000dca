# inject-git-branch: tell the agent with each prompt which branch it is on
# Try: belay run UserPromptSubmit --prompt "commit this" --config hooks.json
# Expect: none (exit 0). Plain stdout is context here: the agent reads the branch, the user does not.

# Outside of a repository the hook says nothing: an error would only disturb the prompt.
[ -f .git/HEAD ] || exit 0

branch=$(sed -n 's|^ref: refs/heads/||p' .git/HEAD)
echo "The current branch is ${branch:-a detached HEAD}."
