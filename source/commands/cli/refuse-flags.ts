import {existsSync} from 'node:fs';
import {didYouMean} from '../../config/values/did-you-mean.ts';
import {Problem} from '../../util/problem.ts';
import {type Command} from './command.ts';
import {describeFlag, type FlagName, flagNames, globalFlags, typedFlag} from './flag-table.ts';
import {type Session} from './session.ts';

/** Commands that only look make no profile that is not there. */
export function refuseStrayProfile({flags, paths}: Session, {words}: Command): void {
	const starts = words.length === 0 || words[0] === 'gateway';
	if (flags.profile !== undefined && !starts && !existsSync(paths.directory)) {
		throw new Problem('bad_usage', {message: `There is no profile "${flags.profile}"`});
	}
}

/** A flag nobody knows is a slip of the keyboard, and gets a suggestion; one of another command would be ignored in silence. */
export function refuseStrayFlags(
	command: Command,
	typed: {readonly unknownFlags: readonly string[]; readonly flags: Readonly<Record<string, unknown>>},
): void {
	const own = [...command.flags, ...globalFlags];
	const [unknown] = typed.unknownFlags;
	if (unknown !== undefined) {
		throw new Problem('bad_usage', {message: unknownFlagText(unknown, own)});
	}

	const stray = flagNames().find(name => !own.includes(name) && isGiven(name, typed.flags[name]));
	if (stray !== undefined) {
		const name = ['sluice', ...command.words].join(' ');
		throw new Problem('bad_usage', {message: `${typedFlag(stray)} does not belong to \`${name}\``});
	}
}

function isGiven(name: FlagName, value: unknown): boolean {
	const fallback = describeFlag(name).default;
	return value !== undefined && value !== fallback && !(Array.isArray(value) && value.length === 0);
}

function unknownFlagText(name: string, own: readonly FlagName[]): string {
	if (name.length === 1) {
		return `Unknown flag: -${name}; a command line with flags of its own stands behind --`;
	}

	const typed = name.replaceAll(/[A-Z]/gu, letter => `-${letter.toLowerCase()}`);
	const meant = name.replace(/^no([A-Z])/u, (_, letter: string) => letter.toLowerCase());
	const suggestion = didYouMean(meant, own) ?? didYouMean(meant, flagNames());
	const known = flagNames().find(flag => flag === suggestion);
	return `Unknown flag: --${typed}${known ? `; did you mean ${typedFlag(known)}?` : ''}`;
}
