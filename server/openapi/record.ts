/*
 * A connector that was made from an OpenAPI document, as data: what is stored, and what evaluator processes return.
 */

/** A value of a parameter: the part of JSON Schema that forms show and calls check. */
export interface ValueSchema {
  type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'any' | 'file';
  title?: string;
  description?: string;
  enum?: (string | number)[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  items?: ValueSchema;
  properties?: Record<string, ValueSchema>;
  required?: string[];
}

export interface OwnParameter {
  /** In workflows. */
  name: string;
  /** In the document. */
  theirs: string;
  in: 'path' | 'query' | 'header' | 'body';
  isRequired: boolean;
  /** How a list or an object is written in the query; absent: joined by commas. */
  style?: 'repeat' | 'deep';
  schema: ValueSchema;
}

export interface OwnBody {
  as: 'json' | 'form' | 'multipart' | 'file' | 'text';
  /** Content type, for text. */
  type?: string;
  /** The parameter that is the whole body. */
  whole?: string;
}

export interface OwnOperation {
  id: string;
  title: string;
  help: string;
  /** The first tag. */
  group: string | null;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** The name of its server, if it is not the main one. */
  api?: string;
  parameters: OwnParameter[];
  body?: OwnBody;
  /** The answer is a file. */
  isFile?: true;
  example?: unknown;
}

/** A variable of a server. */
export interface OwnSlot {
  name: string;
  title: string;
  hint: string;
  choices?: string[];
  fallback?: string;
}

export interface OwnTokenField {
  name: string;
  title: string;
  hint: string;
  isSecret: boolean;
}

export interface OwnAuthentication {
  token: {
    fields: OwnTokenField[];
    headers: Record<string, string>;
    query: Record<string, string>;
    basic?: { username: string; password: string };
  };
  oauth?: {
    flow: 'authorization_code' | 'client_credentials';
    authorizeUrl?: string;
    tokenUrl: string;
    scopes: string[];
    /** Those that are requested by default. */
    usual: string[];
  };
}

/** A connector without its operations. */
export interface OwnFrame {
  name: string;
  description: string;
  /** The main server. It may have slots. */
  server: string;
  /** Servers of single operations, by name. */
  servers: Record<string, string>;
  slots: OwnSlot[];
  authentication: OwnAuthentication;
}

export interface OwnRecord extends OwnFrame {
  operations: OwnOperation[];
}

/** An operation in a choice. */
export type OperationSummary = Pick<OwnOperation, 'id' | 'title' | 'help' | 'group' | 'method' | 'path'> & {
  isDeprecated: boolean;
};

/** What a document offers. */
export interface DocumentOffer extends OwnFrame {
  version: string;
  operations: OperationSummary[];
  /** What cannot be used, with the reason. */
  skipped: { method: string; path: string; reason: string }[];
}

/** What of a document is read. */
export type Reading =
  | { kind: 'offer'; server: string | null; base: string | null }
  /** `operations` null: all. */
  | { kind: 'record'; server: string | null; base: string | null; operations: string[] | null };

/** The limits of a document, and of a connector that is made from one. */
export const MAX_DOCUMENT_BYTES = 5 * 1024 * 1024;
export const MAX_OFFERED = 5000;
export const MAX_OPERATIONS = 300;
export const MAX_PARAMETERS = 100;
export const MAX_RECORD_BYTES = 2 * 1024 * 1024;
