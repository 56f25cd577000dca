// Outputs of 100 KB made to be slow to read: each is the worst case of one way of reading.

const CAP = 102_400;

/** @param {string} part @param {string} before @param {string} after */
function fill(part, before = "", after = "") {
  return before + part.repeat(Math.floor((CAP - before.length - after.length) / part.length)) + after;
}

/** Members with a name each, as many as fit. @param {string} value */
function members(value) {
  const all = [];
  for (let size = 2, index = 0; ; index += 1) {
    const member = `"k${index}":${value}`;
    size += member.length + 1;
    if (size > CAP) return all.join(",");
    all.push(member);
  }
}

/** @type {Record<string, string>} */
export const WORST_OUTPUTS = {
  "one object, one long string": fill("x", '{"systemMessage":"', '"}'),
  "one object, every character escaped": fill("\\u0041", '{"systemMessage":"', '"}'),
  "one object, thousands of unknown fields": `{${members("1")}}`,
  "one object, thousands of unknown fields inside": `{"hookSpecificOutput":{"hookEventName":"PreToolUse",${members("1").slice(0, -60)}}}`,
  "one object, thousands of misspelt fields": `{${members("1").replaceAll('"k', '"reasn')}`
    .slice(0, CAP - 10)
    .replace(/,[^,]*$/, "}"),
  "one array in an object, thousands of levels": `{"a":${"[".repeat(CAP / 2 - 10)}${"]".repeat(CAP / 2 - 10)}}`,
  "objects in objects, cut in the middle": fill('{"a":'),
  "opening braces only": fill("{"),
  "braces and quotes, nothing closed": fill('{"'),
  "braces, quotes and colons": fill('{"a":"'),
  "a string that breaks at its end, full of braces": fill("{", '{"', "\n"),
  "escaped quotes and braces": fill('{\\"', '{"a":"'),
  "blanks after every brace": fill(`{${" ".repeat(500)}`),
  "thousands of small objects": fill('{"a":1}\n'),
  "thousands of answers": fill('{"continue":false,"stopReason":"no"}\n'),
  "thousands of invalid answers": fill('{"decision":1}\n'),
  "thousands of answers for another event": fill('{"hookSpecificOutput":{"hookEventName":"Stop"}}\n'),
  "thousands of answers with an unknown field": fill('{"reason":"a","reasn":1}\n'),
  "thousands of messages": fill('{"systemMessage":"a"}\n'),
  "numbers without end": fill("1", '{"a":'),
  exponents: fill("1e", '{"a":'),
  "an array of numbers": fill("1,", '{"a":[', "1]}"),
  "line ends": fill("\n", "{", "x"),
  "plain text": fill("The quick brown fox. "),
  "plain words with hyphens": fill("a-"),
  "one long word": fill("a"),
  "words that look like secrets": fill("api-key-"),
  "assignments of secrets": fill("token=abcdefgh "),
  "a secret's name without end": fill("secret", '{"', '":"x"}'),
  "blanks after a secret's name": fill(" ", "secret"),
  "begins of private keys": fill("-----BEGIN "),
  "begins of a token": fill("eyJaaaaaaaa."),
  "addresses without a host": fill("://a:"),
};
