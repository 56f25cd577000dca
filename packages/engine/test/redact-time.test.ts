import { redactText } from "@belay/engine/internal";
import { describe, expect, it } from "vitest";
import { growthOf, LINEAR } from "../../core/test/growth.ts";

describe("hostile text takes no longer than its length", () => {
  const pieces = [
    ...[
      "://a:@",
      "://a1",
      "://a:@a",
      "://a:1",
      "cookie:",
      "cookie: ",
      "pass=",
      "pwd=",
      "password>",
      "<token>a",
      "mysql -p",
      "://a:",
      "://u:p@",
      ":\\/\\/u:",
      ":\\/\\/u:p@",
      "://a:@b/",
      "curl ",
      "docker login ",
    ],
    ...[
      "mysql ",
      "login a password ",
      "login ",
      "login\\n",
      "--",
      "--a-token ",
      "--a-token",
      "token:",
      "token: '",
    ],
    ...[
      "password := ",
      "password' => ",
      "passphrase: ",
      "whsec_",
      "sk-a1",
      "sk-aB-",
      "curl -au",
      '"token":1234',
      '"pwd":"\\n',
      "_auth",
    ],
    ...[
      'token\\\\\\"',
      "token\\",
      'token=\\\\\\"',
      '\\\\\\"token\\\\\\":{',
      '\\\\\\"token\\\\\\":{\\\\\\"a\\\\\\":',
    ],
    ...["name: token ", "name: token value: ", "define('token','", "ENV token ", "config set ", '"auth":"a'],
    ...["hooks.slack.com/services/", "token='a", "token=\"a'", '"token": ', "name:", "set(", 'token="{ '],
    ...['"--token","', '\\"--token\\",\\"', '"--token",', '"--'],
    ...[
      "token=a,",
      "token=,",
      "token=[",
      "token: a;",
      "--token a,",
      "token=$(",
      "token=${a",
      "token=${a:-",
      ",a",
    ],
    ...["token: a", "token: &'a ", "token a|", "token a ", "token: a | ", "token ?: "],
    ...['token=b"', "token=(", 'token="""', "token='''", 'token=\\"\\"', "token = String::from("],
    ...[
      "token==",
      "token===a",
      "--- pass: ",
      "cookie: ${",
      "cookie: none ",
      "token=$(cat a ",
      'token="$(cat ',
    ],
    ...["basic abcdefgh ", "basic abcdefgh.", "token=none"],
    ...[
      "token ||",
      "token ?",
      "getenv('token', '",
      " key='token' value='",
      " key='token' ",
      "user a password '",
    ],
    ...["identified by ", "with password ", "<token a", "<token a>b", '"key":"token","value":"', "setx "],
    ...["token_1", "token_", "api-key-prod-", "password :", '"password":"\\"'],
  ];
  it.each(pieces)("%j", (piece) => {
    for (const text of [piece.repeat(Math.ceil(102_400 / piece.length)), piece + " ".repeat(102_400)])
      expect(growthOf(text, redactText)).toBeLessThan(LINEAR);
  });
});
