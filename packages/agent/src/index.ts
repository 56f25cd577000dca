export { type Conversation, createConversation } from "./conversation/conversation.ts";
export { convertMessagesForAPI } from "./conversation/convert.ts";
export type { Block, Message, Reader, ToolBlock, ToolStage } from "./conversation/message.ts";
export { type AgentOptions, createAgent } from "./loop/agent.ts";
export {
  type Model,
  ModelError,
  type ModelErrorKind,
  type ModelEvent,
  type ModelMessage,
  type ModelRequest,
  type Question,
  type ToolSpec,
} from "./models/model.ts";
export { offlineModel } from "./models/offline/model.ts";
export { type ModelChoice, openModel } from "./models/open-model.ts";
export { createPermissionQueue, type PermissionQueue } from "./permissions/queue.ts";
export type { Ruling } from "./permissions/rules.ts";
export {
  type PermissionOptions,
  type PermissionSettings,
  permissionSettings,
} from "./permissions/settings.ts";
export { type Claim, type Settled, settle } from "./permissions/settle.ts";
export { builtInTools, toolSpec } from "./tools/index.ts";
export type { Tool, ToolContext, ToolKind, ToolResult } from "./tools/tool.ts";
export * from "./types.ts";
