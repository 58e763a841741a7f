import {
  IconBolt,
  IconBrandAws,
  IconBrandMysql,
  IconBrandOauth,
  IconDatabase,
  IconFolders,
  IconKey,
  IconInbox,
  IconLeaf,
  IconMail,
  IconPassword,
  IconSparkles,
  IconTerminal2,
  IconTool,
  IconVariable,
  type Icon,
} from '@tabler/icons-react';
import { z } from 'zod';
import { configSchemaForType, secretFieldNames, type CredentialType } from '@/contract/credentials/credential';
import type { FieldSchema } from '@/components/forms/model/field-schema';

/** A type of credential that is filled in by hand. */
export interface CredentialTypeOption {
  id: string;
  label: string;
  summary: string;
  icon: Icon;
  type: CredentialType;
  connectorId: string | null;
}

export const CREDENTIAL_TYPE_OPTIONS: CredentialTypeOption[] = [
  {
    id: 'api_key',
    label: 'API key',
    summary: 'Sent in a header or query parameter.',
    icon: IconKey,
    type: 'api_key',
    connectorId: null,
  },
  {
    id: 'basic_auth',
    label: 'Username and password',
    summary: 'HTTP basic or digest authentication.',
    icon: IconPassword,
    type: 'basic_auth',
    connectorId: null,
  },
  {
    id: 'smtp',
    label: 'Email server',
    summary: 'SMTP, for nodes that send email.',
    icon: IconMail,
    type: 'basic_auth',
    connectorId: 'smtp',
  },
  {
    id: 'imap',
    label: 'Mailbox (IMAP)',
    summary: 'A mailbox whose messages start runs.',
    icon: IconInbox,
    type: 'imap',
    connectorId: null,
  },
  {
    id: 'oauth2',
    label: 'OAuth 2.0',
    summary: 'Any provider by its URLs, or existing tokens.',
    icon: IconBrandOauth,
    type: 'oauth2',
    connectorId: null,
  },
  {
    id: 'postgres',
    label: 'PostgreSQL',
    summary: 'A PostgreSQL database, for SQL nodes.',
    icon: IconDatabase,
    type: 'postgres',
    connectorId: null,
  },
  {
    id: 'mysql',
    label: 'MySQL or MariaDB',
    summary: 'A MySQL or MariaDB database, for SQL nodes.',
    icon: IconBrandMysql,
    type: 'mysql',
    connectorId: null,
  },
  {
    id: 'redis',
    label: 'Redis or Valkey',
    summary: 'A Redis server, for Redis nodes.',
    icon: IconBolt,
    type: 'redis',
    connectorId: null,
  },
  {
    id: 'mongodb',
    label: 'MongoDB',
    summary: 'A MongoDB server, replica set or Atlas cluster, for MongoDB nodes.',
    icon: IconLeaf,
    type: 'mongodb',
    connectorId: null,
  },
  {
    id: 'aws',
    label: 'AWS keys',
    summary: 'Signs requests to AWS and S3-compatible storages, for HTTP request nodes.',
    icon: IconBrandAws,
    type: 'aws',
    connectorId: null,
  },
  {
    id: 'ssh',
    label: 'SSH server',
    summary: 'A server for commands, and for files by SFTP.',
    icon: IconTerminal2,
    type: 'ssh',
    connectorId: null,
  },
  {
    id: 'ftp',
    label: 'FTP server',
    summary: 'A server for files by FTP or FTPS.',
    icon: IconFolders,
    type: 'ftp',
    connectorId: null,
  },
  {
    id: 'llm',
    label: 'Language model',
    summary: 'OpenAI, Anthropic, Google, Ollama and compatible servers, for AI nodes.',
    icon: IconSparkles,
    type: 'llm',
    connectorId: null,
  },
  {
    id: 'mcp',
    label: 'MCP server',
    summary: 'A server of the Model Context Protocol, whose tools agents and nodes call.',
    icon: IconTool,
    type: 'mcp',
    connectorId: null,
  },
  {
    id: 'custom',
    label: 'Custom',
    summary: 'Any headers and query parameters.',
    icon: IconVariable,
    type: 'custom',
    connectorId: null,
  },
];

/** Label and summary of a credential without a connector. */
export const credentialTypeOption = (
  type: CredentialType,
  connectorId: string | null,
): CredentialTypeOption | undefined =>
  CREDENTIAL_TYPE_OPTIONS.find((kind) => kind.type === type && kind.connectorId === connectorId) ??
  CREDENTIAL_TYPE_OPTIONS.find((kind) => kind.type === type);

/** The fields of a config: which are secret, and the JSON Schema of all. */
export interface CredentialConfigFields {
  secrets: string[];
  schema: FieldSchema;
}

/** The fields of a credential that no connector defines. */
export function credentialConfigFields(type: CredentialType, connectorId: string | null): CredentialConfigFields {
  const fields = configSchemaForType(type, connectorId);
  const schema = z.toJSONSchema(fields, { target: 'draft-7', io: 'input', unrepresentable: 'any' }) as FieldSchema;
  return { secrets: secretFieldNames(fields), schema };
}
