import { z } from 'zod';
import { Email, Password, SHORTEST_PASSWORD } from './session';
import { Domain } from './sso';
import { PageQuery, Timestamp, page, text } from './text';
import { RunLimit } from './workflow';

/** Requests per minute and burst of each tier. `unlimited` shows a million. */
export const TIERS = {
  free: { perMinute: 60, burst: 100 },
  starter: { perMinute: 300, burst: 500 },
  enterprise: { perMinute: 1000, burst: 2000 },
  unlimited: { perMinute: 1_000_000, burst: 1_000_000 },
} as const;

export const Tier = z.enum(['free', 'starter', 'enterprise', 'unlimited']).meta({ id: 'Tier' });
export type Tier = z.infer<typeof Tier>;

export const MfaPolicy = z.enum(['off', 'optional', 'required']);
export type MfaPolicy = z.infer<typeof MfaPolicy>;

const whole = (min: number, max: number) => z.number().int().min(min).max(max);

export const WorkspaceSettings = z
  .object({
    mfaPolicy: MfaPolicy.meta({ description: 'Whether a second factor is offered, or asked of everybody' }),
    ssoRequired: z.boolean().meta({ description: 'Passwords open it for owners only' }),
    passwordMinLength: whole(SHORTEST_PASSWORD, 64).meta({ description: 'Characters that a new password must have' }),
    sessionMaxHours: whole(1, 8760)
      .nullable()
      .meta({ description: 'After which everybody signs in again; null: never' }),
    sessionIdleMinutes: whole(5, 43_200)
      .nullable()
      .meta({ description: 'Without a call, after which a session is over; null: after 30 days' }),
    allowedDomains: z
      .array(Domain)
      .max(100)
      .meta({ description: 'Only people with an email in one of these can join. Empty: any' }),
    executionRetentionDays: whole(1, 36_500)
      .nullable()
      .meta({ description: 'Days a finished run is kept; null: as long as the service keeps them' }),
    webhookGraceHours: whole(0, 168).meta({ description: 'How long a replaced webhook secret stays good' }),
    concurrency: RunLimit.nullable().meta({ description: 'Of all its workflows together; null: any number' }),
  })
  .meta({ id: 'WorkspaceSettings' });
export type WorkspaceSettings = z.infer<typeof WorkspaceSettings>;

/** `role` is the strongest that the caller holds in it. */
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

/** What stands where nothing was said. */
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
};

export const WorkspacePage = page(Workspace).meta({ id: 'WorkspacePage' });

export const WorkspaceCreate = z.strictObject({ name: text(1, 200) });

export const WorkspaceUpdate = z.strictObject({
  name: text(1, 200).optional(),
  settings: z.strictObject(WorkspaceSettings.shape).partial().optional(),
});

/** Who asks for something that can't be undone shows once more who they are. */
const Proof = {
  password: text(1, 1000).optional().meta({ description: 'The caller’s; asked of those who have one' }),
  mfaCode: text(1, 50).optional().meta({ description: 'Asked of those with a second factor' }),
};

export const WorkspaceDelete = z.strictObject({
  name: text(1, 200).meta({ description: 'The workspace’s name, to say that it is this one' }),
  ...Proof,
});

export const OwnershipTransfer = z.strictObject({
  userId: text(1, 100).meta({ description: 'The member who shall own the workspace' }),
  ...Proof,
});

const Bucket = z.object({
  remaining: z.number().int().meta({ description: 'Requests that could be made right now' }),
  resetAt: Timestamp.meta({ description: 'When it is full again' }),
});

/** What a workspace may use, and what it does use. */
export const WorkspaceUsage = z
  .object({
    tier: Tier,
    requestsPerMinute: z.number().int(),
    burst: z.number().int(),
    requests: Bucket,
    webhooks: Bucket,
    runsUnderWay: z.number().int(),
    runsToday: z.number().int().meta({ description: 'Accepted within 24 hours' }),
    workflows: z.number().int(),
    credentials: z.number().int(),
    members: z.number().int(),
    executionRetentionDays: z.object({ effective: z.number().int(), service: z.number().int() }),
  })
  .meta({ id: 'WorkspaceUsage' });
export type WorkspaceUsage = z.infer<typeof WorkspaceUsage>;

/** Somebody invited has no `userId` and no `joinedAt` yet, but an `invitationId`, by which they can be removed again. */
export const Member = z
  .object({
    userId: z.string().nullable(),
    invitationId: z.string().optional(),
    email: z.string(),
    name: z.string(),
    roles: z.array(z.string()),
    status: z.enum(['invited', 'active']),
    joinedAt: Timestamp.nullable(),
    expiresAt: Timestamp.optional().meta({ description: 'Of an invitation' }),
  })
  .meta({ id: 'Member' });
export type Member = z.infer<typeof Member>;

export const MemberQuery = PageQuery.extend({ status: z.enum(['invited', 'active']).optional() });
export type MemberQuery = z.infer<typeof MemberQuery>;

export const MemberPage = page(Member).meta({ id: 'MemberPage' });

/** `role`: a role's name or id. */
export const InviteRequest = z.strictObject({ email: Email, role: text(1, 200) });

/** The link carries the invitation's token, shown here once. */
export const Invited = Member.extend({ inviteUrl: z.string() }).meta({ id: 'InvitedMember' });

export const MemberUpdate = z.strictObject({ roles: z.array(text(1, 200)).min(1).max(50) });

/** A new person says who they are; somebody who is signed in needs the token alone. */
export const AcceptInviteRequest = z.strictObject({
  token: text(1, 200),
  name: text(1, 200).optional(),
  password: Password.optional(),
});
