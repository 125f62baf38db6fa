import {typedCommand} from './typed-command.ts';

/** The commands of the program that a remedy names, in backticks, and that the program would refuse as they are written. */
export function refusedCommands(remedy: string): readonly string[] {
	const named = Array.from(remedy.matchAll(/`sluice ([^`]+)`/gu), match => match[1] ?? '');
	return named.filter(line => {
		try {
			typedCommand(line.split(' '));
			return false;
		} catch {
			return true;
		}
	});
}
