import {Problem} from '../../util/problem.ts';
import {type CommandContext} from '../cli/command.ts';

const defaultLimit = 50;
const maximumLimit = 1000;

/** The number of rows to list. Throws `bad_usage`. */
export function readLimit({limit = defaultLimit}: CommandContext['flags']): number {
	if (!Number.isInteger(limit) || limit < 1 || limit > maximumLimit) {
		throw new Problem('bad_usage', {message: `--limit must be a whole number from 1 to ${maximumLimit}`});
	}

	return limit;
}
