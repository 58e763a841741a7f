import { randomBytes } from 'node:crypto';
import type { Webhook } from '@/generated/prisma/client';
import { getRuntime } from '@/server/platform/runtime';

/** The address of a webhook. */
export const webhookUrl = ({ workflowId, path }: Pick<Webhook, 'workflowId' | 'path'>): string =>
  `${getRuntime().env.apiBaseUrl}/webhooks/${workflowId}/${path}`;

/** Makes a secret, which is shown to the author once and stored sealed. */
export const createWebhookSecret = () => `whsec_${randomBytes(32).toString('base64url')}`;
