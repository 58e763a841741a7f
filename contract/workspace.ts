import { z } from 'zod';
import { CreatedAt, ObjectId, UpdatedAt } from './shared-fields';
import { WorkspaceQuotas } from './quota';
import { EmailAddress, NewPassword, MIN_PASSWORD_LENGTH } from './access/session';
import { EmailDomain } from './access/sso';
import { WorkspaceTier } from './tier';
import { PaginationQuery, Timestamp, pageSchema, boundedText } from './text';
import { DEFAULT_EXPRESSION_LANGUAGE } from './workflows/expression-language';
import { ExpressionLanguageField } from './workflows/expression-language-field';
import { ConcurrencyLimit } from './workflows/workflow';

export const WorkspaceMfaPolicy = z.enum(['off', 'optional', 'required']);
export type WorkspaceMfaPolicy = z.infer<typeof WorkspaceMfaPolicy>;

const integerBetween = (min: number, max: number) => z.number().int().min(min).max(max);

export const WorkspaceSettings = z
  .object({
    mfaPolicy: WorkspaceMfaPolicy.meta({ description: 'Whether a second factor is off, optional or required' }),
    ssoRequired: z.boolean().meta({ description: 'Members must use single sign-on; only owners can use a password' }),
    passwordMinLength: integerBetween(MIN_PASSWORD_LENGTH, 64).meta({ description: 'Minimum length of new passwords' }),
    sessionMaxHours: integerBetween(1, 8760)
      .nullable()
      .meta({ description: 'Maximum session duration in hours; null: unlimited' }),
    sessionIdleMinutes: integerBetween(5, 43_200)
      .nullable()
      .meta({ description: 'Idle timeout of a session in minutes; null: 30 days' }),
    allowedDomains: z
      .array(EmailDomain)
      .max(100)
      .meta({ description: 'Only users with an email in one of these domains can join. Empty: any domain' }),
    executionRetentionDays: integerBetween(1, 36_500)
      .nullable()
      .meta({ description: 'Retention of finished runs in days; null: the limit of the service' }),
    webhookGraceHours: integerBetween(0, 168).meta({ description: 'Hours that a replaced webhook secret stays valid' }),
    concurrency: ConcurrencyLimit.nullable().meta({
      description: 'Limit of concurrent runs of all workflows together; null: unlimited',
    }),
    errorWorkflowId: boundedText(1, 100).nullable().meta({
      description: 'The workflow that failed runs start if their workflow names none; null: none',
    }),
    expressionLanguage: ExpressionLanguageField.describe(
      'The language that the editor, the builder, templates and imports write in new workflows',
    ),
  })
  .meta({ id: 'WorkspaceSettings', description: 'Rules for all members and runs of a workspace' });
export type WorkspaceSettings = z.infer<typeof WorkspaceSettings>;

/** `role` is the strongest role of the caller. */
export const WorkspaceResponse = z
  .object({
    id: ObjectId,
    name: z.string().describe('What people call it'),
    slug: z.string().describe('The name in addresses'),
    tier: WorkspaceTier,
    settings: WorkspaceSettings,
    role: z.string().describe('Name: what the caller may do here'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  })
  .meta({ id: 'Workspace', description: 'A workspace, with the role of the caller' });
export type WorkspaceResponse = z.infer<typeof WorkspaceResponse>;

/** New workspaces have these settings. */
export const DEFAULT_WORKSPACE_SETTINGS: WorkspaceSettings = {
  mfaPolicy: 'off',
  ssoRequired: false,
  passwordMinLength: MIN_PASSWORD_LENGTH,
  sessionMaxHours: null,
  sessionIdleMinutes: null,
  allowedDomains: [],
  executionRetentionDays: null,
  webhookGraceHours: 24,
  concurrency: null,
  errorWorkflowId: null,
  expressionLanguage: DEFAULT_EXPRESSION_LANGUAGE,
};

export const ListWorkspacesResponse = pageSchema(WorkspaceResponse).meta({ id: 'WorkspacePage' });

export const CreateWorkspaceRequest = z.strictObject({ name: boundedText(1, 200).describe('What people call it') });

export const UpdateWorkspaceRequest = z.strictObject({
  name: boundedText(1, 200).optional().describe('What people call it'),
  settings: z.strictObject(WorkspaceSettings.shape).partial().optional().describe('Only the fields to change'),
});

/** A workspace whose sign-in provider made the caller a member, pending acceptance. */
export const PendingWorkspace = z
  .object({
    id: ObjectId,
    name: z.string().describe('What people call it'),
    addedAt: Timestamp.describe('When the workspace was added'),
  })
  .meta({ id: 'PendingWorkspace', description: 'A workspace whose invitation the user has not accepted' });
export type PendingWorkspace = z.infer<typeof PendingWorkspace>;

export const ListPendingWorkspacesResponse = pageSchema(PendingWorkspace).meta({ id: 'PendingWorkspacePage' });

/** Re-authentication for actions that can't be undone. */
const reauthenticationFields = {
  password: boundedText(1, 1000)
    .optional()
    .meta({ description: 'Password of the caller; required if the account has one' }),
  mfaCode: boundedText(1, 50).optional().meta({ description: 'Required if the account has a second factor' }),
};

export const DeleteWorkspaceRequest = z.strictObject({
  name: boundedText(1, 200).meta({ description: 'Name of the workspace, as confirmation' }),
  ...reauthenticationFields,
});

export const TransferOwnershipRequest = z.strictObject({
  userId: boundedText(1, 100).meta({ description: 'The new owner, a member of the workspace' }),
  ...reauthenticationFields,
});

const RateLimitUsage = z.object({
  remaining: z.number().int().meta({ description: 'Requests that are possible now' }),
  resetAt: Timestamp.meta({ description: 'When the bucket is full again' }),
});

/** Limits and usage of a workspace. */
export const WorkspaceUsage = z
  .object({
    tier: WorkspaceTier,
    requestsPerMinute: z.number().int().describe('The limit of requests per minute'),
    burst: z.number().int().describe('Requests that may come at once'),
    requests: RateLimitUsage.describe('Requests per minute'),
    webhooks: RateLimitUsage.describe('Deliveries to webhooks per minute'),
    runsUnderWay: z.number().int().describe('The number of runs in progress'),
    runsToday: z.number().int().meta({ description: 'Runs accepted in the last 24 hours' }),
    workflows: z.number().int().describe('How many workflows there are'),
    credentials: z.number().int().describe('The number of credentials'),
    members: z.number().int().describe('The number of members'),
    executionRetentionDays: z
      .object({
        effective: z.number().int().describe('The number of days that holds'),
        service: z.number().int().describe('The number of days that the service permits'),
      })
      .describe('The number of days after which ended runs are deleted; null: never'),
    quotas: WorkspaceQuotas,
  })
  .meta({ id: 'WorkspaceUsage', description: 'Limits of the workspace’s tier, and what is used of them' });
export type WorkspaceUsage = z.infer<typeof WorkspaceUsage>;

/**
 * An invited user has no `userId` and `joinedAt` yet, but an `invitationId`, by which the invitation can be revoked.
 */
export const MemberResponse = z
  .object({
    userId: z.string().nullable().describe('Null: the person has not accepted yet'),
    invitationId: z.string().optional().describe('The invitation; null: it was accepted'),
    email: z.string().describe('Where mail to the person goes'),
    name: z.string().describe('What people call it'),
    roles: z.array(z.string()).describe('The names of the roles'),
    status: z.enum(['invited', 'active']).describe('`invited` until the person accepts'),
    isAccepted: z.boolean().meta({
      description:
        'Whether the user accepted the membership. False: invited, or added by a sign-in provider of the workspace ' +
        'and a member only in its sessions',
    }),
    joinedAt: Timestamp.nullable().describe('When the member joined; null: the invitation is open'),
    expiresAt: Timestamp.optional().meta({ description: 'Expiry of the invitation' }),
  })
  .meta({ id: 'Member', description: 'A member of the workspace, or an invitation' });
export type MemberResponse = z.infer<typeof MemberResponse>;

export const ListMembersQuery = PaginationQuery.extend({
  status: z.enum(['invited', 'active']).optional().describe('Only those with this state'),
});
export type ListMembersQuery = z.infer<typeof ListMembersQuery>;

export const ListMembersResponse = pageSchema(MemberResponse).meta({ id: 'MemberPage' });

/** `role`: a role's name or id. */
export const InviteMemberRequest = z.strictObject({
  email: EmailAddress.describe('Where mail to the person goes'),
  role: boundedText(1, 200).describe('Name or id: what the person will be permitted'),
});

/** The link contains the invitation token, which is returned only here. */
export const InvitedMember = MemberResponse.extend({
  inviteUrl: z.string().describe('The link of the invitation'),
}).meta({
  id: 'InvitedMember',
  description: 'An invited member with the link of the invitation',
});

export const UpdateMemberRequest = z.strictObject({
  roles: z.array(boundedText(1, 200)).min(1).max(50).describe('The names of the roles'),
});

/** A new account needs name and password; a signed-in user needs only the token. */
export const AcceptInvitationRequest = z.strictObject({
  token: boundedText(1, 200).describe('The token of the link'),
  name: boundedText(1, 200).optional().describe('What people call it'),
  password: NewPassword.optional().describe('For people without an account'),
});
