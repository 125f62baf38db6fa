import {Problem} from '../../util/problem.ts';

/** The form of `gateway run`'s lines. Throws `bad_usage` for anything but `text` and `json`. */
export function parseLogFormat(flag: string | undefined): 'text' | 'json' {
	if (flag === undefined || flag === 'text' || flag === 'json') {
		return flag ?? 'text';
	}

	throw new Problem('bad_usage', {message: '--log must be text or json'});
}
