import { z } from 'zod';
import { Quotas } from './quota';
import { Email, Password, SHORTEST_PASSWORD } from './access/session';
import { Domain } from './access/sso';
import { Tier } from './tier';
import { PageQuery, Timestamp, page, text } from './text';
import { RunLimit } from './workflows/workflow';

export const MfaPolicy = z.enum(['off', 'optional', 'required']);
export type MfaPolicy = z.infer<typeof MfaPolicy>;

const whole = (min: number, max: number) => z.number().int().min(min).max(max);

export const WorkspaceSettings = z
  .object({
    mfaPolicy: MfaPolicy.meta({ description: 'Whether a second factor is off, optional or required' }),
    ssoRequired: z.boolean().meta({ description: 'Members must use single sign-on; only owners can use a password' }),
    passwordMinLength: whole(SHORTEST_PASSWORD, 64).meta({ description: 'Minimum length of new passwords' }),
    sessionMaxHours: whole(1, 8760)
      .nullable()
      .meta({ description: 'Maximum session duration in hours; null: unlimited' }),
    sessionIdleMinutes: whole(5, 43_200)
      .nullable()
      .meta({ description: 'Idle timeout of a session in minutes; null: 30 days' }),
    allowedDomains: z
      .array(Domain)
      .max(100)
      .meta({ description: 'Only users with an email in one of these domains can join. Empty: any domain' }),
    executionRetentionDays: whole(1, 36_500)
      .nullable()
      .meta({ description: 'Retention of finished runs in days; null: the limit of the service' }),
    webhookGraceHours: whole(0, 168).meta({ description: 'Hours that a replaced webhook secret stays valid' }),
    concurrency: RunLimit.nullable().meta({
      description: 'Limit of concurrent runs of all workflows together; null: unlimited',
    }),
    errorWorkflowId: text(1, 100).nullable().meta({
      description: 'The workflow that failed runs start if their workflow names none; null: none',
    }),
  })
  .meta({ id: 'WorkspaceSettings' });
export type WorkspaceSettings = z.infer<typeof WorkspaceSettings>;

/** `role` is the strongest role of the caller. */
export const Workspace = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    tier: Tier,
    settings: WorkspaceSettings,
    role: z.string(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Workspace' });
export type Workspace = z.infer<typeof Workspace>;

/** Default settings. */
export const DEFAULT_SETTINGS: WorkspaceSettings = {
  mfaPolicy: 'off',
  ssoRequired: false,
  passwordMinLength: SHORTEST_PASSWORD,
  sessionMaxHours: null,
  sessionIdleMinutes: null,
  allowedDomains: [],
  executionRetentionDays: null,
  webhookGraceHours: 24,
  concurrency: null,
  errorWorkflowId: null,
};

export const WorkspacePage = page(Workspace).meta({ id: 'WorkspacePage' });

export const WorkspaceCreate = z.strictObject({ name: text(1, 200) });

export const WorkspaceUpdate = z.strictObject({
  name: text(1, 200).optional(),
  settings: z.strictObject(WorkspaceSettings.shape).partial().optional(),
});

/** A workspace whose sign-in provider made the caller a member, pending acceptance. */
export const PendingWorkspace = z
  .object({ id: z.string(), name: z.string(), addedAt: Timestamp })
  .meta({ id: 'PendingWorkspace' });
export type PendingWorkspace = z.infer<typeof PendingWorkspace>;

export const PendingWorkspacePage = page(PendingWorkspace).meta({ id: 'PendingWorkspacePage' });

/** Re-authentication for actions that can't be undone. */
const Proof = {
  password: text(1, 1000).optional().meta({ description: 'Password of the caller; required if the account has one' }),
  mfaCode: text(1, 50).optional().meta({ description: 'Required if the account has a second factor' }),
};

export const WorkspaceDelete = z.strictObject({
  name: text(1, 200).meta({ description: 'Name of the workspace, as confirmation' }),
  ...Proof,
});

export const OwnershipTransfer = z.strictObject({
  userId: text(1, 100).meta({ description: 'The new owner, a member of the workspace' }),
  ...Proof,
});

const Bucket = z.object({
  remaining: z.number().int().meta({ description: 'Requests that are possible now' }),
  resetAt: Timestamp.meta({ description: 'When the bucket is full again' }),
});

/** Limits and usage of a workspace. */
export const WorkspaceUsage = z
  .object({
    tier: Tier,
    requestsPerMinute: z.number().int(),
    burst: z.number().int(),
    requests: Bucket,
    webhooks: Bucket,
    runsUnderWay: z.number().int(),
    runsToday: z.number().int().meta({ description: 'Runs accepted in the last 24 hours' }),
    workflows: z.number().int(),
    credentials: z.number().int(),
    members: z.number().int(),
    executionRetentionDays: z.object({ effective: z.number().int(), service: z.number().int() }),
    quotas: Quotas,
  })
  .meta({ id: 'WorkspaceUsage' });
export type WorkspaceUsage = z.infer<typeof WorkspaceUsage>;

/**
 * An invited user has no `userId` and `joinedAt` yet, but an `invitationId`, by which the invitation can be revoked.
 */
export const Member = z
  .object({
    userId: z.string().nullable(),
    invitationId: z.string().optional(),
    email: z.string(),
    name: z.string(),
    roles: z.array(z.string()),
    status: z.enum(['invited', 'active']),
    isAccepted: z.boolean().meta({
      description:
        'Whether the user accepted the membership. False: invited, or added by a sign-in provider of the workspace ' +
        'and a member only in its sessions',
    }),
    joinedAt: Timestamp.nullable(),
    expiresAt: Timestamp.optional().meta({ description: 'Expiry of the invitation' }),
  })
  .meta({ id: 'Member' });
export type Member = z.infer<typeof Member>;

export const MemberQuery = PageQuery.extend({ status: z.enum(['invited', 'active']).optional() });
export type MemberQuery = z.infer<typeof MemberQuery>;

export const MemberPage = page(Member).meta({ id: 'MemberPage' });

/** `role`: a role's name or id. */
export const InviteRequest = z.strictObject({ email: Email, role: text(1, 200) });

/** The link contains the invitation token, which is returned only here. */
export const Invited = Member.extend({ inviteUrl: z.string() }).meta({ id: 'InvitedMember' });

export const MemberUpdate = z.strictObject({ roles: z.array(text(1, 200)).min(1).max(50) });

/** A new account needs name and password; a signed-in user needs only the token. */
export const AcceptInviteRequest = z.strictObject({
  token: text(1, 200),
  name: text(1, 200).optional(),
  password: Password.optional(),
});
