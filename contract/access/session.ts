import { z } from 'zod';
import { text } from '../text';

/** Stored in lower case, because email addresses are compared case-insensitively. */
export const Email = text(3, 254)
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.email());

/** Minimum length in every workspace; a workspace may require more. */
export const SHORTEST_PASSWORD = 12;

/** bcrypt uses 72 bytes; longer passwords are refused, not truncated. */
export const Password = text(1, 200).refine(
  (value) => {
    const bytes = new TextEncoder().encode(value).length;
    return bytes >= SHORTEST_PASSWORD && bytes <= 72;
  },
  { error: 'must have 12 to 72 bytes' },
);

export const LoginRequest = z.strictObject({
  email: text(1, 254),
  password: text(1, 1000),
  mfaCode: text(1, 50).optional(),
});

export const RefreshRequest = z.strictObject({ refreshToken: text(1, 500) });

/** `expiresIn` is in seconds. */
export const LoginTokens = z
  .object({ accessToken: z.string(), refreshToken: z.string(), expiresIn: z.number().int() })
  .meta({ id: 'LoginTokens' });
export type LoginTokens = z.infer<typeof LoginTokens>;

/** Preferences of a user, independent of the browser. */
export const Preferences = z
  .strictObject({ isTourOver: z.boolean().meta({ description: 'The user has finished the tour of the editor' }) })
  .meta({ id: 'Preferences' });

export const Me = z
  .object({
    user: z.object({
      id: z.string(),
      email: z.string(),
      name: z.string(),
      mfaEnabled: z.boolean(),
      isEmailVerified: z.boolean().meta({
        description:
          'False: the confirmation link was not opened yet; until then the workspaces of this user send no email',
      }),
      preferences: Preferences,
    }),
    workspaces: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        slug: z.string(),
        role: z.string(),
        permissions: z.array(z.string()).meta({
          description: 'Permissions of the caller on all objects, as `resource:action`',
        }),
        conditionalPermissions: z.array(z.string()).meta({
          description: 'Permissions on some objects only, by a condition or a role on single objects',
        }),
      }),
    ),
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof Me>;

export const PasswordChange = z.strictObject({ currentPassword: text(1, 1000), newPassword: Password });

export const EmailVerification = z.strictObject({
  token: text(1, 1000).meta({ description: 'Token of the emailed link' }),
});

export const SetupRequest = z.strictObject({
  token: text(0, 200).optional(),
  name: text(1, 200),
  email: Email,
  password: Password,
});

/** `workspaceName`: name of the new workspace; default: derived from the user's name. */
export const SignUpRequest = z.strictObject({
  name: text(1, 200),
  email: Email,
  password: Password,
  workspaceName: text(1, 200).optional(),
});
