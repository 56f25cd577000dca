import * as engine from "@belay/engine";
import * as tools from "@belay/engine/tools";
import { expect, it } from "vitest";

/** What is exported is a promise; nothing is promised by accident. Types are `@belay/core`'s, all of them. */

it("the engine exports what a host needs", () => {
  expect(Object.keys(engine).sort()).toEqual([
    "DEFAULT_LIMITS",
    "DIALECT_NAMES",
    "EVENT_NAMES",
    "UsageError",
    "applyOutcome",
    "areUserPreferences",
    "createEngine",
    "defineHook",
    "guards",
    "hookOutputProcessor",
    "isDialectName",
    "isEventName",
    "isHookBlock",
    "isHookOutputResult",
    "isOutputFor",
    "isWarnBlock",
    "outcomeSchema",
    "replay",
    "runProcess",
  ]);
});

it("its parts, for tools, stand apart", () => {
  expect(Object.keys(tools).sort()).toEqual([
    "NO_EXPORT",
    "adviseOnProgram",
    "belayFolder",
    "configLoader",
    "configPlaces",
    "entryOf",
    "everyPlace",
    "exportsHook",
    "fieldChanges",
    "fileInTheWay",
    "filesOf",
    "findProject",
    "followJournal",
    "grantPrint",
    "grantsOf",
    "holderName",
    "homeFolder",
    "inspectConfig",
    "interpreterOf",
    "isExecutable",
    "isOnPath",
    "isSessionUuid",
    "journalFolder",
    "linesFromEnd",
    "linesFromStart",
    "livingHolder",
    "makeFolder",
    "needsTrust",
    "predecessors",
    "printOf",
    "projectFolderFor",
    "readText",
    "recordAt",
    "redactText",
    "relativeScripts",
    "replaced",
    "scriptWords",
    "seenHook",
    "sessionOf",
    "shownPath",
    "statOf",
    "targetOf",
    "trust",
    "trustCommand",
    "trustState",
    "trustedPrints",
    "trustedSeen",
    "whyUnclear",
    "writeWhole",
  ]);
  expect(Object.keys(tools).filter((name) => name in engine)).toEqual([]);
});
