// Outputs of 100 KB made to be slow to read: each is the worst case of one way of reading. The tests of core read them too.
import { DEFAULT_CAP } from "@belay/core";

const CAP = DEFAULT_CAP;

/** @param {string} part @param {string} before @param {string} after */
function fill(part, before = "", after = "") {
  return before + part.repeat(Math.floor((CAP - before.length - after.length) / part.length)) + after;
}

/** A text of exactly the cap: a beginning, and one piece again and again. @param {string} piece */
function full(piece, beginning = "", end = "") {
  const room = CAP - beginning.length - end.length;
  return beginning + piece.repeat(Math.ceil(room / piece.length)).slice(0, room) + end;
}

/** @param {string} open @param {string} close */
function nested(open, close, beginning = "", end = "") {
  const levels = Math.floor((CAP - beginning.length - end.length - 1) / (open.length + close.length));
  return `${beginning}${open.repeat(levels)}1${close.repeat(levels)}${end}`;
}

/** @param {(index: number) => string} member */
function objectOf(member) {
  let text = "{";
  for (let index = 0; text.length < CAP - 110; index += 1) text += `${index > 0 ? "," : ""}${member(index)}`;
  return `${text}}`;
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
  "addresses with a host far away": fill("://a:", "", "@h/"),
  "addresses with a password": fill("://u:p@"),
  "signs of a host without a host": fill("@a@", "://a:"),
  "commands without a password": fill("mysql "),
  "logins without a password": fill("docker login "),
  "passwords of commands": fill("mysql -pa "),
  "users of commands": fill("curl -u a:b "),
  "options of no command": fill("x -pa ", "mysql\n"),
  "members with a secret's name": fill('password: "'),
  "members with a secret": fill('"password":"abcd",', "{", '"a":1}'),
  "members with a secret, in a string": fill('\\"password\\":\\"abcd\\",', '{"a":"', '"}'),
  "objects under a secret's name": fill('"token":{"a":"b"},', "{", '"a":1}'),
  "headers with a secret": fill("Cookie: a="),
  "options with a secret's name": fill("--password "),
  "options with a secret": fill("--password ab "),
  "tags with a secret": fill("<password>ab</password>"),
  "a login of a file, again and again": fill("login a password "),
  "the end of a secret's name": fill("_auth"),
  "opening braces": full("{"),
  "empty objects": full("{}"),
  "keys of objects that never end": full('{"a":'),
  "braces and quotes": full('{"'),
  quotes: full('"'),
  backslashes: full("\\"),
  "a string that never ends": full("a", '{"a":"'),
  "a string of quotes": full('\\"', '{"'),
  "a string of backslashes": full("\\\\", '{"'),
  "a string of braces and quotes": full('{\\"', '{"a":"'),
  "strings broken by a newline": full('{"a\n'),
  "strings that are no values": full('{"a":"{'),
  "unicode escapes": full("\\u0041", '{"a":"'),
  "space behind a key": full(" ", '{"a"'),
  "space behind braces": full("{    "),
  "arrays that never end": full("[", '{"a":'),
  "nested arrays": nested("[", "]", '{"a":', "}"),
  "nested objects": nested('{"a":', "}"),
  "a nested event name": nested("[", "]", '{"hookSpecificOutput":{"hookEventName":', "}}"),
  "a nested decision": nested('{"a":', "}", '{"decision":', "}"),
  "a nested input": nested(
    '{"a":',
    "}",
    '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":',
    "}}",
  ),
  "a number": full("1", '{"a":'),
  "half a number": full("e", '{"a":-'),
  "half numbers": full('{"a":-'),
  "half words": full('{"a":tru'),
  "unknown fields": objectOf((index) => `"${index.toString(36)}":1`),
  "long unknown fields": objectOf((index) => `"${"k".repeat(index % 90)}${index}":1`),
  "one field many times": objectOf(() => '"decision":"block"'),
  "a very long wrong value": full("x", '{"decision":"', '"}'),
  "a very long name": full("x", '{"', '":1}'),
  "small answers": full('{"decision":"block","reason":"r"}'),
  "small wrong answers": full('{"decision":1}'),
  "small messages": full('{"systemMessage":"m"}'),
  "small stops": full('{"continue":false}'),
  "small misplaced answers": full('{"permissionDecision":1}\n'),
  "an unclosed object before small answers": full('{"decision":"block","reason":"r"},', '{"x":['),
  "lone surrogates": full('{"\ud800":'),
};
