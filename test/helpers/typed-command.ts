import {type Command} from '../../source/commands/cli/command.ts';
import {describeFlag, flagNames, flagText, typedFlag} from '../../source/commands/cli/flag-table.ts';
import {refuseStrayFlags} from '../../source/commands/cli/run-program.ts';
import {matchCommand} from '../../source/commands/cli/command-table.ts';
import {parseCommandLine} from '../../source/commands/cli/parse-command-line.ts';

/** The command that a person typed behind `sluice`. Throws when the program's own tables would refuse the line. */
export function typedCommand(words: readonly string[]): Command {
	const typed = parseCommandLine(words);
	const {command, rest} = matchCommand(typed.words);
	refuseStrayFlags(command, typed);
	const wrong = flagNames().find(name => {
		const {completes} = flagText(name, command.flagTexts);
		const value: unknown = typed.flags[name];
		const isAbsent = value === undefined || (value === '' && describeFlag(name).mayStandAlone === true);
		return Array.isArray(completes) && !isAbsent && !completes.includes(value);
	});
	if (wrong !== undefined) {
		throw new Error(`${typedFlag(wrong)} does not take this value`);
	}

	if (rest.length > 0 && !/\b[A-Z]{2,}\b|bash/u.test(command.usage)) {
		throw new Error(`sluice ${command.words.join(' ')} takes no words`);
	}

	return command;
}
