export const bash = (command: string) => ({ name: "Bash", input: { command } });

export const read = (file_path: string) => ({ name: "Read", input: { file_path } });

export const write = (file_path: string, content: string) => ({
  name: "Write",
  input: { file_path, content },
});

export const hook = (words: string) => `<hook event="Stop" name="guard">\n${words}\n</hook>`;
