import type {Command} from 'commander';

/** What a subcommand makes of its words and options; throws a ZodError that says what is wrong. */
export type SubcommandReader<Asked> = (
  words: readonly string[],
  options: Readonly<Record<string, unknown>>,
) => Asked;

/** Returns what adds a subcommand to a program: `take` gets what its reader makes of the arguments. `words` come behind the name. */
export function subcommandsOf<Asked extends {readonly kind: string}>(
  program: Command,
  readers: Readonly<Record<Asked['kind'], SubcommandReader<Asked>>>,
  take: (asked: Asked) => void,
): (kind: Asked['kind'], words: string, description: string) => Command {
  return (kind, words, description) => {
    const command = program.command(`${kind}${words}`).description(description);
    return command.action(() => take(readers[kind](command.args, command.opts())));
  };
}
