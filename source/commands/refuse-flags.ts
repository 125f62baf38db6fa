import {existsSync} from 'node:fs';
import {didYouMean} from '../config/did-you-mean.ts';
import {Problem} from '../util/problem.ts';
import {type Command} from './command-table.ts';
import {type Session} from './session.ts';

/** Commands that only look neither play the demo nor make a profile that is not there. */
export function refuseStrayFlags({flags, paths}: Session, {words}: Command): void {
	const starts = words.length === 0 || words[0] === 'gateway';
	if (flags.demo && !starts) {
		throw new Problem('bad_usage', {message: '--demo starts a gateway; it goes with no other command'});
	}

	if (flags.profile !== undefined && !starts && !existsSync(paths.directory)) {
		throw new Problem('bad_usage', {message: `There is no profile "${flags.profile}"`});
	}
}

/** A flag nobody knows is a slip of the keyboard, and gets a suggestion. */
export function refuseUnknownFlags({
	unknownFlags,
	knownFlags,
}: {
	readonly unknownFlags: readonly string[];
	readonly knownFlags: readonly string[];
}): void {
	const [name] = unknownFlags;
	if (name !== undefined) {
		const suggestion = didYouMean(name, knownFlags);
		const hint = suggestion ? `; did you mean --${hyphenated(suggestion)}?` : '';
		throw new Problem('bad_usage', {message: `Unknown flag: --${hyphenated(name)}${hint}`});
	}
}

function hyphenated(name: string): string {
	return name.replaceAll(/[A-Z]/gu, letter => `-${letter.toLowerCase()}`);
}
