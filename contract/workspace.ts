import { z } from 'zod';
import { Email, Password } from './session';
import { Timestamp, page, text } from './text';
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

export const WorkspaceSettings = z
  .object({
    mfaPolicy: MfaPolicy.meta({ description: 'Whether a second factor is offered, or asked of everybody' }),
    ssoRequired: z.boolean().meta({ description: 'Passwords open it for owners only' }),
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

export const WorkspacePage = page(Workspace).meta({ id: 'WorkspacePage' });

export const WorkspaceCreate = z.strictObject({ name: text(1, 200) });

export const WorkspaceUpdate = z.strictObject({
  name: text(1, 200).optional(),
  settings: z.strictObject(WorkspaceSettings.shape).partial().optional(),
});

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
  })
  .meta({ id: 'Member' });
export type Member = z.infer<typeof Member>;

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
