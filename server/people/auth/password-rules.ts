import { MIN_PASSWORD_LENGTH } from '@/contract/access/session';
import { invalidFieldProblem } from '@/server/platform/errors/problem';

/** Common beginnings of passwords. Followed by digits and signs, they are still among the first guesses. */
const COMMON_PASSWORDS = new Set(
  `password passwort passw passwd passphrase parola contrasena motdepasse mypassword yourpassword newpassword
  thepassword changeme changeit pleasechange letmein letmeinnow welcome welcomeback welcometo iloveyou ilovegod
  trustno admin administrator root superuser supervisor sysadmin test testing tester testtest default guest user
  username qwerty qwertyuiop qwertz qwertzuiop azerty azertyuiop asdfghjkl zxcvbnm secret topsecret supersecret
  master superman batman spiderman starwars pokemon dragon monkey football baseball basketball princess sunshine
  shadow charlie michael jennifer jordan summer winter spring autumn january february september october november
  december monday internet computer samsung microsoft google whatever nothing forever blink hello helloworld
  abcdefgh abc abcd correcthorsebatterystaple weft`.split(/\s+/),
);

const KEYBOARD_LAYOUTS = ['qwertyuiopasdfghjklzxcvbnm', 'qwertzuiopasdfghjklyxcvbnm', 'azertyuiopqsdfghjklmwxcvbn'];
const CHARACTER_ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '1234567890',
  '0123456789',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  ...KEYBOARD_LAYOUTS,
];
const CHARACTER_RUNS = [...CHARACTER_ROWS, ...CHARACTER_ROWS.map((row) => [...row].toReversed().join(''))].map((row) =>
  row.repeat(4),
);

const isCharacterRun = (text: string) => CHARACTER_RUNS.some((run) => run.includes(text));

/** One piece over and over, such as `abcabcabcabc`: the text is found in its own double before its end. */
const isRepeatedPiece = (text: string) => (text + text).indexOf(text, 1) < text.length;

const keepLetters = (text: string) => text.replace(/[^\p{L}]/gu, '');

interface PasswordOwner {
  email: string;
  name: string;
}

/** Whether the password contains little more than public facts about the person: `ada-weft-2026`. */
function isPersonalPassword(text: string, { email, name }: PasswordOwner): boolean {
  const words = `${email} ${name} weft`.toLowerCase().split(/[^\p{L}]+/u);
  const facts = [email, ...words.filter((word) => word.length > 2)].toSorted((one, other) => other.length - one.length);
  const rest = facts.reduce((left, word) => left.replaceAll(word, ''), text);
  return rest !== text && keepLetters(rest).length < 3 && rest.length < 12;
}

/**
 * Throws a 400 on `field` for passwords that are shorter than the person's workspaces require, and for common guesses:
 * usual words with digits, keyboard runs, repetitions, and facts about the person (NIST SP 800-63B, 3.1.1.2). There are
 * no rules about kinds of characters, and passwords do not expire.
 */
export function requireStrongPassword(
  password: string,
  field: string,
  person: PasswordOwner,
  shortest = MIN_PASSWORD_LENGTH,
): void {
  // The general minimum is in the contract, in bytes, because other scripts express more with fewer characters.
  if (shortest > MIN_PASSWORD_LENGTH && [...password].length < shortest)
    throw invalidFieldProblem(field, `must have ${shortest} characters or more here`);
  const text = password.toLowerCase();
  const isCommon =
    isCharacterRun(text) ||
    isRepeatedPiece(text) ||
    COMMON_PASSWORDS.has(keepLetters(text)) ||
    isPersonalPassword(text, person);
  if (isCommon) throw invalidFieldProblem(field, 'is too easy to guess');
}
