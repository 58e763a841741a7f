import type { Command, Option } from 'commander';

/** A command, or an option, that can be written at a place. */
interface Word {
  text: string;
  description: string;
}

interface OptionWord extends Word {
  /** Empty: `text` is the only name. */
  short: string;
  takesValue: boolean;
  choices: readonly string[];
}

/** What can follow the command that is named by `at`, such as `workflows pull`; the program itself: the empty text. Values of arguments count as commands. */
interface Place {
  at: string;
  commands: Word[];
  options: OptionWord[];
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The script that completes the commands and options of the program in a shell. */
export function completionScript(program: Command, shell: Shell): string {
  const places = placesIn(program);
  return { bash, zsh, fish }[shell](program.name(), places);
}

const wordOf = ({ short = '', long, description, required, optional, argChoices }: Option): OptionWord => ({
  text: long ?? short,
  short: long === undefined || long === null ? '' : short,
  description,
  takesValue: required || optional,
  choices: argChoices ?? [],
});

function placesIn(command: Command, at = '', shared: OptionWord[] = []): Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  const options = [...help.visibleOptions(command).map(wordOf), ...shared];
  // Those of the program are taken anywhere, but for its version.
  const passed = at === '' ? command.options.map(wordOf).filter(({ text }) => text !== '--version') : shared;
  const [argument] = command.registeredArguments;
  const words = [
    ...commands.map((one) => ({ text: one.name(), description: one.description() })),
    ...(argument?.argChoices ?? []).map((text) => ({ text, description: argument?.description ?? '' })),
  ];
  const inner = commands.flatMap((one) => placesIn(one, `${at} ${one.name()}`.trim(), passed));
  return [{ at, commands: words, options }, ...inner];
}

const namesOf = ({ text, short }: OptionWord): string[] => (short === '' ? [text] : [text, short]);

/** The names of options after which a value follows. */
const valueOptions = (places: Place[]): OptionWord[] => {
  const all = places.flatMap(({ options }) => options).filter(({ takesValue }) => takesValue);
  return [...new Map(all.map((option) => [namesOf(option).join(), option])).values()];
};

const choicesOf = (places: Place[]): OptionWord[] => valueOptions(places).filter(({ choices }) => choices.length > 0);

/** Single quotes around a text. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const isInner = ({ at }: Place): boolean => at !== '';

/** For bash and zsh: finds the command before the cursor. `words` and `end`: their names of the words and of the last place. */
const walk = (places: Place[], words: string, first: number, end: string): string => `\
  local at= word i
  for ((i = ${first}; i < ${end}; i++)); do
    word=\${${words}[i]}
    # A value of the option before.
    [[ ' ${valueOptions(places).flatMap(namesOf).join(' ')} ' == *" \${${words}[i-1]} "* ]] && continue
    case "$at $word" in
      ${places
        .filter(isInner)
        .map(({ at }) => quoted(at.includes(' ') ? at : ` ${at}`))
        .join(' | ')}) at="\${at:+$at }$word" ;;
    esac
  done`;

const bash = (name: string, places: Place[]): string => `\
# Completion of ${name} for bash: source it, or put it into a folder that bash-completion reads.
_${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words=
${walk(places, 'COMP_WORDS', 1, 'COMP_CWORD')}
  case $before in
${choicesOf(places)
  .map((option) => `    ${namesOf(option).join(' | ')}) words=${quoted(option.choices.join(' '))} ;;`)
  .join('\n')}
    ${valueOptions(places)
      .filter(({ choices }) => choices.length === 0)
      .flatMap(namesOf)
      .join(' | ')}) ;;
    *)
      case $at in
${places
  .map(({ at, commands, options }) => {
    const words = [...commands.map(({ text }) => text), ...options.map(({ text }) => text)];
    return `        ${quoted(at)}) words=${quoted(words.join(' '))} ;;`;
  })
  .join('\n')}
      esac
      # Options only where one was begun, so that files are offered elsewhere.
      [[ $current == -* || -z $at || $words != -* ]] || words=
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${name} ${name}
`;

/** A word as \`_describe\` of zsh reads it. */
const described = ({ text, description }: Word): string => quoted(`${text.replaceAll(':', '\\:')}:${description}`);

const zsh = (name: string, places: Place[]): string => `\
#compdef ${name}
# Completion of ${name} for zsh: put it as _${name} into a folder of $fpath, or source it after compinit.
_${name}() {
  local -a commands options
${walk(places, 'words', 2, 'CURRENT')}
  case \${words[CURRENT-1]} in
${choicesOf(places)
  .map((option) => `    ${namesOf(option).join(' | ')}) compadd -- ${option.choices.join(' ')}; return ;;`)
  .join('\n')}
    ${valueOptions(places)
      .filter(({ choices }) => choices.length === 0)
      .flatMap(namesOf)
      .join(' | ')}) _files; return ;;
  esac
  case $at in
${places
  .map(
    ({ at, commands, options }) =>
      `    ${quoted(at)}) commands=(${commands.map(described).join(' ')}) options=(${options.map(described).join(' ')}) ;;`,
  )
  .join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then _describe -o option options
  elif ((\${#commands})); then _describe command commands
  else _files
  fi
}
compdef _${name} ${name}
`;

const fish = (name: string, places: Place[]): string => `\
# Completion of ${name} for fish: put it as ${name}.fish into ~/.config/fish/completions, or source it.
function __${name}_at
    set -l at ''
    set -l before ''
    for word in (commandline -opc)[2..]
        if contains -- "$before" ${valueOptions(places).flatMap(namesOf).join(' ')}
            set before ''
            continue
        end
        set before $word
        if contains -- (string trim -- "$at $word") ${places
          .filter(isInner)
          .map(({ at }) => quoted(at))
          .join(' ')}
            set at (string trim -- "$at $word")
        end
    end
    test "$at" = "$argv[1]"
end
complete -c ${name} -f
${places.flatMap((place) => fishPlace(name, place)).join('\n')}
`;

function fishPlace(name: string, { at, commands, options }: Place): string[] {
  const here = `complete -c ${name} -n ${quoted(`__${name}_at "${at}"`)}`;
  return [
    ...(commands.length === 0 ? [`${here} -F`] : []),
    ...commands.map(({ text, description }) => `${here} -a ${text} -d ${quoted(description)}`),
    ...options.map((option) => {
      const long = ` -l ${option.text.replace(/^--/, '')}`;
      const short = option.short === '' ? '' : ` -s ${option.short.slice(1)}`;
      const value = !option.takesValue
        ? ''
        : option.choices.length > 0
          ? ` -x -a ${quoted(option.choices.join(' '))}`
          : ' -r -F';
      return `${here}${long}${short}${value} -d ${quoted(option.description)}`;
    }),
  ];
}
