import { getRuntime } from '@/server/platform/runtime';
import { TokenBuckets } from './token-bucket';
import { leaseTokens } from './bucket-lease';

declare module '@/server/platform/runtime' {
  interface Runtime {
    /** Rate limits of this process. */
    buckets?: TokenBuckets;
  }
}

/** The rate limits as counted by this process, for all transports and workers. */
export const processTokenBuckets = (): TokenBuckets => (getRuntime().buckets ??= new TokenBuckets(leaseTokens));

/** The bucket for a workspace's API calls and for runs started by its runs. */
export const workspaceBucketName = (workspaceId: string): string => `workspace:${workspaceId}`;

/** The bucket for the calls of a form's page. */
export const formBucketName = (formId: string, network: string): string => `form:${formId}:${network}`;

/** The bucket for the calls of a chat's page. */
export const chatBucketName = (chatId: string, network: string): string => `chat:${chatId}:${network}`;

/** The bucket for deliveries without a valid signature. */
export const unverifiedBucketName = (webhookId: string, network: string): string =>
  `unverified:${webhookId}:${network}`;
