export { Weft, type RequestOptions, type SignIn } from './client.js';
export { WeftConnectionError, WeftError, WeftTimeoutError, type ErrorCode, type FieldError } from './errors.js';
export type { RunEvent } from './events.js';
export type { Download, DownloadOptions, Files, FileSource, UploadOptions } from './files.js';
export { paginate, type Page, type PageQuery } from './pages.js';
export { isFinal, type WaitOptions } from './runs.js';
export type { ClientOptions, Tokens } from './transport.js';
export type {
  CallAnswer,
  CallOptions,
  CallParameters,
  Definition,
  Execution,
  ExecutionStatus,
  ListPath,
  Schemas,
  Workflow,
} from './types.js';
export { deliverWebhook, signWebhook, type Delivery } from './webhooks.js';
export type { ExecuteOptions } from './workflows.js';
export type { components, paths } from './generated/openapi.js';
