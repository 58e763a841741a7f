import { z } from 'zod';
import { text } from './text';

/** Stored in lower case; two spellings are one person. */
export const Email = text(3, 254)
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.email());

/** What any workspace asks for at least; it may ask for more. */
export const SHORTEST_PASSWORD = 12;

/** bcrypt reads 72 bytes; longer is refused rather than cut. */
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

/** What the app remembers of a person, in whatever browser. */
export const Preferences = z
  .strictObject({ isTourOver: z.boolean().meta({ description: 'They were shown around the editor' }) })
  .meta({ id: 'Preferences' });

export const Me = z
  .object({
    user: z.object({
      id: z.string(),
      email: z.string(),
      name: z.string(),
      mfaEnabled: z.boolean(),
      preferences: Preferences,
    }),
    workspaces: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        slug: z.string(),
        role: z.string(),
        permissions: z.array(z.string()).meta({
          description: 'What the caller may do there, as `resource:action`, on whatever object',
        }),
        conditionalPermissions: z.array(z.string()).meta({
          description: 'What they may do on some objects only: by a condition, or a role on single ones',
        }),
      }),
    ),
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof Me>;

export const PasswordChange = z.strictObject({ currentPassword: text(1, 1000), newPassword: Password });

export const SetupRequest = z.strictObject({
  token: text(0, 200).optional(),
  name: text(1, 200),
  email: Email,
  password: Password,
});

/** `workspaceName`: of the new person's own workspace; named after them unless given. */
export const SignUpRequest = z.strictObject({
  name: text(1, 200),
  email: Email,
  password: Password,
  workspaceName: text(1, 200).optional(),
});
