import { z } from 'zod';
import { ExpressionLanguageField } from '../workflows/expression-language-field';
import { ObjectId } from '../shared-fields';
import { boundedText } from '../text';

/** Stored in lower case, because email addresses are compared case-insensitively. */
export const EmailAddress = boundedText(3, 254)
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.email());

/** Minimum length in every workspace; a workspace may require more. */
export const MIN_PASSWORD_LENGTH = 12;

/** bcrypt uses 72 bytes; longer passwords are refused, not truncated. */
export const NewPassword = boundedText(1, 200).refine(
  (value) => {
    const bytes = new TextEncoder().encode(value).length;
    return bytes >= MIN_PASSWORD_LENGTH && bytes <= 72;
  },
  { error: 'must have 12 to 72 bytes' },
);

export const LoginRequest = z.strictObject({
  email: boundedText(1, 254).describe('Where mail to the person goes'),
  password: boundedText(1, 1000).describe('The one of the account'),
  mfaCode: boundedText(1, 50)
    .optional()
    .describe('A code of the authenticator app, or a backup code, for users with a second factor'),
});

export const RefreshTokensRequest = z.strictObject({
  refreshToken: boundedText(1, 500).describe('Renews the access token, once'),
});

/** `expiresIn` is in seconds. */
export const LoginTokens = z
  .object({
    accessToken: z.string().describe('The bearer token of calls'),
    refreshToken: z.string().describe('Renews the access token, once'),
    expiresIn: z.number().int().describe('Seconds until the access token expires'),
  })
  .meta({ id: 'LoginTokens', description: 'An access token for calls, and a refresh token that renews it once' });
export type LoginTokens = z.infer<typeof LoginTokens>;

/** Preferences of a user, independent of the browser. */
export const UserPreferences = z
  .strictObject({ isTourOver: z.boolean().meta({ description: 'The user has finished the tour of the editor' }) })
  .meta({ id: 'Preferences', description: 'Settings of the signed-in user' });

export const CurrentUser = z
  .object({
    user: z
      .object({
        id: ObjectId,
        email: z.string().describe('Where mail to the person goes'),
        name: z.string().describe('As people read it'),
        mfaEnabled: z.boolean().describe('Whether the user has a second factor'),
        isEmailVerified: z.boolean().meta({
          description:
            'False: the confirmation link was not opened yet; until then the workspaces of this user send no email',
        }),
        preferences: UserPreferences,
      })
      .describe('Who is signed in'),
    workspaces: z
      .array(
        z.object({
          id: ObjectId,
          name: z.string().describe('As people read it'),
          slug: z.string().describe('The name in addresses'),
          role: z.string().describe('Name: what the user may do there'),
          permissions: z.array(z.string()).meta({
            description: 'Permissions of the caller on all objects, as `resource:action`',
          }),
          conditionalPermissions: z.array(z.string()).meta({
            description: 'Permissions on some objects only, by a condition or a role on single objects',
          }),
        }),
      )
      .describe('The workspaces of the user'),
  })
  .meta({ id: 'Me', description: 'The signed-in user and the workspaces of the user' });
export type CurrentUser = z.infer<typeof CurrentUser>;

export const ChangePasswordRequest = z.strictObject({
  currentPassword: boundedText(1, 1000).describe('The password until now'),
  newPassword: NewPassword.describe('Replaces the current one; other sessions end'),
});

export const VerifyEmailRequest = z.strictObject({
  token: boundedText(1, 1000).meta({ description: 'Token of the emailed link' }),
});

export const CreateOwnerRequest = z.strictObject({
  token: boundedText(0, 200).optional().describe('The token from the log of the service'),
  name: boundedText(1, 200).describe('What people call it'),
  email: EmailAddress.describe('Where mail to the person goes'),
  password: NewPassword.describe('Chosen by the user, from now on needed to sign in'),
  expressionLanguage: ExpressionLanguageField.optional().describe(
    'The language of expressions in the first workspace; absent: that of all new workspaces',
  ),
});

/** `workspaceName`: name of the new workspace; default: derived from the user's name. */
export const SignUpRequest = z.strictObject({
  name: boundedText(1, 200).describe('What people call it'),
  email: EmailAddress.describe('Where mail to the person goes'),
  password: NewPassword.describe('Chosen by the user, from now on needed to sign in'),
  workspaceName: boundedText(1, 200).optional().describe('The name of the first workspace'),
});
