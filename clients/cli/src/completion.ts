import type { Command, Option } from 'commander';

/** A command or an option that completion offers. */
interface CompletionWord {
  text: string;
  description: string;
}

interface CompletionOption extends CompletionWord {
  /** Empty: `text` is the only name. */
  short: string;
  takesValue: boolean;
  choices: readonly string[];
}

/**
 * The words that can follow a command, which `commandPath` names: `workflows pull`, or an empty text for the program
 * itself. Values of arguments count as commands.
 */
interface CommandCompletions {
  commandPath: string;
  commands: CompletionWord[];
  options: CompletionOption[];
}

export const COMPLETION_SHELLS = ['bash', 'zsh', 'fish'] as const;
export type CompletionShell = (typeof COMPLETION_SHELLS)[number];

/** The script that completes the commands and options of the program in a shell. */
export function buildCompletionScript(program: Command, shell: CompletionShell): string {
  const places = collectCompletions(program);
  return { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }[shell](program.name(), places);
}

const toCompletionOption = ({
  short = '',
  long,
  description,
  required,
  optional,
  argChoices,
}: Option): CompletionOption => ({
  text: long ?? short,
  short: long === undefined || long === null ? '' : short,
  description,
  takesValue: required || optional,
  choices: argChoices ?? [],
});

function collectCompletions(command: Command, at = '', shared: CompletionOption[] = []): CommandCompletions[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  const options = [...help.visibleOptions(command).map(toCompletionOption), ...shared];
  // Options of the program may follow any command, except `--version`.
  const passed =
    at === '' ? command.options.map(toCompletionOption).filter(({ text }) => text !== '--version') : shared;
  const [argument] = command.registeredArguments;
  const words = [
    ...commands.map((one) => ({ text: one.name(), description: one.description() })),
    ...(argument?.argChoices ?? []).map((text) => ({ text, description: argument?.description ?? '' })),
  ];
  const inner = commands.flatMap((one) => collectCompletions(one, `${at} ${one.name()}`.trim(), passed));
  return [{ commandPath: at, commands: words, options }, ...inner];
}

const optionNames = ({ text, short }: CompletionOption): string[] => (short === '' ? [text] : [text, short]);

/** The names of options after which a value follows. */
const optionsWithValue = (places: CommandCompletions[]): CompletionOption[] => {
  const all = places.flatMap(({ options }) => options).filter(({ takesValue }) => takesValue);
  return [...new Map(all.map((option) => [optionNames(option).join(), option])).values()];
};

const optionsWithChoices = (places: CommandCompletions[]): CompletionOption[] =>
  optionsWithValue(places).filter(({ choices }) => choices.length > 0);

/** Single quotes around a text. */
const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const isSubcommand = ({ commandPath: at }: CommandCompletions): boolean => at !== '';

/**
 * The lines for bash and zsh that find the command before the cursor. `words` and `end` are the variables of the shell
 * for the words and the last index.
 */
const findCommandScript = (places: CommandCompletions[], words: string, first: number, end: string): string => `\
  local at= word i
  for ((i = ${first}; i < ${end}; i++)); do
    word=\${${words}[i]}
    # A value of the option before.
    [[ ' ${optionsWithValue(places).flatMap(optionNames).join(' ')} ' == *" \${${words}[i-1]} "* ]] && continue
    case "$at $word" in
      ${places
        .filter(isSubcommand)
        .map(({ commandPath: at }) => quoteForShell(at.includes(' ') ? at : ` ${at}`))
        .join(' | ')}) at="\${at:+$at }$word" ;;
    esac
  done`;

const bashCompletion = (name: string, places: CommandCompletions[]): string => `\
# Completion of ${name} for bash: source it, or put it into a folder that bash-completion reads.
_${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words=
${findCommandScript(places, 'COMP_WORDS', 1, 'COMP_CWORD')}
  case $before in
${optionsWithChoices(places)
  .map((option) => `    ${optionNames(option).join(' | ')}) words=${quoteForShell(option.choices.join(' '))} ;;`)
  .join('\n')}
    ${optionsWithValue(places)
      .filter(({ choices }) => choices.length === 0)
      .flatMap(optionNames)
      .join(' | ')}) ;;
    *)
      case $at in
${places
  .map(({ commandPath: at, commands, options }) => {
    const words = [...commands.map(({ text }) => text), ...options.map(({ text }) => text)];
    return `        ${quoteForShell(at)}) words=${quoteForShell(words.join(' '))} ;;`;
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
const formatZshWord = ({ text, description }: CompletionWord): string =>
  quoteForShell(`${text.replaceAll(':', '\\:')}:${description}`);

const zshCompletion = (name: string, places: CommandCompletions[]): string => `\
#compdef ${name}
# Completion of ${name} for zsh: put it as _${name} into a folder of $fpath, or source it after compinit.
_${name}() {
  local -a commands options
${findCommandScript(places, 'words', 2, 'CURRENT')}
  case \${words[CURRENT-1]} in
${optionsWithChoices(places)
  .map((option) => `    ${optionNames(option).join(' | ')}) compadd -- ${option.choices.join(' ')}; return ;;`)
  .join('\n')}
    ${optionsWithValue(places)
      .filter(({ choices }) => choices.length === 0)
      .flatMap(optionNames)
      .join(' | ')}) _files; return ;;
  esac
  case $at in
${places
  .map(
    ({ commandPath: at, commands, options }) =>
      `    ${quoteForShell(at)}) commands=(${commands.map(formatZshWord).join(' ')}) options=(${options.map(formatZshWord).join(' ')}) ;;`,
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

const fishCompletion = (name: string, places: CommandCompletions[]): string => `\
# Completion of ${name} for fish: put it as ${name}.fish into ~/.config/fish/completions, or source it.
function __${name}_at
    set -l at ''
    set -l before ''
    for word in (commandline -opc)[2..]
        if contains -- "$before" ${optionsWithValue(places).flatMap(optionNames).join(' ')}
            set before ''
            continue
        end
        set before $word
        if contains -- (string trim -- "$at $word") ${places
          .filter(isSubcommand)
          .map(({ commandPath: at }) => quoteForShell(at))
          .join(' ')}
            set at (string trim -- "$at $word")
        end
    end
    test "$at" = "$argv[1]"
end
complete -c ${name} -f
${places.flatMap((place) => fishCompletionLines(name, place)).join('\n')}
`;

function fishCompletionLines(name: string, { commandPath: at, commands, options }: CommandCompletions): string[] {
  const here = `complete -c ${name} -n ${quoteForShell(`__${name}_at "${at}"`)}`;
  return [
    ...(commands.length === 0 ? [`${here} -F`] : []),
    ...commands.map(({ text, description }) => `${here} -a ${text} -d ${quoteForShell(description)}`),
    ...options.map((option) => {
      const long = ` -l ${option.text.replace(/^--/, '')}`;
      const short = option.short === '' ? '' : ` -s ${option.short.slice(1)}`;
      const value = !option.takesValue
        ? ''
        : option.choices.length > 0
          ? ` -x -a ${quoteForShell(option.choices.join(' '))}`
          : ' -r -F';
      return `${here}${long}${short}${value} -d ${quoteForShell(option.description)}`;
    }),
  ];
}
