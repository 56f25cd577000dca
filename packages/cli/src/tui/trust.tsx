import {
  configLoader,
  configPlaces,
  findProject,
  type Grant,
  grantsOf,
  homeFolder,
} from "@belay/engine/internal";
import { Box, Text, useApp } from "ink";
import { type ReactNode, useEffect, useRef } from "react";
import type { ChatOptions } from "../chat/print.ts";
import { canBeTrusted, listHooks, trustListed } from "../hooks/listed.ts";
import type { Io } from "../io.ts";
import { wrap } from "../render/text.ts";
import { counted, renderGrants, renderHooks, type TrustRow } from "../render/trust.ts";
import { Choices, isChord, pick } from "./choices.tsx";
import { draw, useKeys } from "./keys.tsx";
import { useCurrent, useQuiet, useSize } from "./screen.ts";

export interface Untrusted {
  readonly hooks: readonly TrustRow[];
  readonly grants: readonly Grant[];
  /** Trusts exactly this, as it was read: a file edited since then is not meant. */
  accept(): void;
}

export async function findUntrusted(options: ChatOptions & { readonly cwd: string }): Promise<Untrusted> {
  const { cwd } = options;
  const home = homeFolder(options.home);
  const project = findProject(cwd, home);
  const loader = configLoader();
  const common = { cwd, home, project, sessionId: "" };
  const places = configPlaces({ ...options, ...common });
  const { hooks } = await loader.load(places);
  // Rules are those of the layers, whatever else is named.
  const layers = configPlaces(common);
  const { configs } = await loader.load(layers);
  const folders = { project, cwd, home };
  const listed = listHooks(hooks, folders);
  const grants = grantsOf(configs, project, home);
  return {
    hooks: listed.filter((row) => row.hook.enabled && canBeTrusted(row)),
    grants: grants.filter(({ state }) => state !== "trusted"),
    accept: () => {
      const isMeant = (row: TrustRow) => row.hook.enabled || row.state === "trusted";
      const filesOf = (all: typeof places) => all.map(({ file }) => file);
      const whole = { hooks: filesOf(places), permissions: filesOf(layers) };
      trustListed(folders, [...listed.filter(isMeant), ...grants], whole);
    },
  };
}

export type TrustAnswer = "yes" | "no" | "leave";

/** Shows everything that is not trusted, in full, and asks about all of it once. */
export async function askTrust(untrusted: Untrusted, cwd: string, io: Io): Promise<TrustAnswer> {
  const { hooks, grants } = untrusted;
  io.out(renderHooks(hooks, cwd, io) + renderGrants(grants, cwd, io));
  io.out(`${wrap(explained(untrusted), io.columns).join("\n")}\n`);
  let given: TrustAnswer = "leave";
  const screen = draw(
    <TrustQuestion
      title={`Trust ${counted({ hook: hooks, permission: grants })}?`}
      answer={(answer) => {
        given = answer;
      }}
    />,
  );
  await screen.ended;
  return given;
}

interface TrustProps {
  readonly title: string;
  answer(answer: TrustAnswer): void;
}

const LABELS = ["No, go on without", "Yes, as it is now"];

export function TrustQuestion({ title, answer }: TrustProps): ReactNode {
  const { exit } = useApp();
  const { columns } = useSize();
  const [at, setAt] = useCurrent(0);
  const [isAnswered, setIsAnswered] = useCurrent(false);
  const isOver = isAnswered();
  // The last frame is empty: the question is not left behind.
  useEffect(() => {
    if (isOver) exit();
  }, [isOver, exit]);
  const end = (given: TrustAnswer) => {
    // The first answer counts, whatever keys come in the same read.
    if (isAnswered()) return;
    answer(given);
    setIsAnswered(true);
  };
  // A prompt that someone began to type at once is no answer, whatever letters are in it.
  const [isQuiet, noteKey] = useQuiet(false);
  const hasBeenQuiet = useRef(false);
  if (isQuiet) hasBeenQuiet.current = true;
  const isListening = hasBeenQuiet.current;
  useKeys((input, key, isPasted) => {
    if (key.ctrl && (input === "c" || input === "d")) return end("leave");
    if (!isListening) {
      noteKey();
      if (key.escape && !isPasted) end("no");
      return;
    }
    if (isPasted || isChord(key)) return;
    const picked = pick(at(), LABELS.length, input, key);
    setAt(picked.at);
    if (picked.taken !== undefined) end(picked.taken === 1 ? "yes" : "no");
    else if (key.escape || input === "n") end("no");
    else if (input === "y") end("yes");
  });
  if (isOver) return null;
  return (
    <Box flexDirection="column" borderStyle="round" borderColor="yellow" paddingX={1}>
      <Text bold>{title}</Text>
      {isListening ? (
        <Choices labels={LABELS} at={at()} columns={columns - 4} />
      ) : (
        <Text dimColor>{"a moment …\n "}</Text>
      )}
    </Box>
  );
}

function explained({ hooks, grants }: Untrusted): string {
  const states = [...hooks, ...grants].map(({ state }) => state);
  const said = [
    ...(states.includes("new") ? ["New: you have not trusted it before."] : []),
    ...(states.includes("changed")
      ? ["Changed: you trusted it, and it or a script that it names was edited since."]
      : []),
  ];
  return `This project brings what is listed above. ${said.join(" ")}`;
}
