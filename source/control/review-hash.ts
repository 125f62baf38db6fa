import {hashJson} from '../util/json-hash.ts';
import {Problem} from '../util/problem.ts';

/** A call that a command may allow: the hash of its arguments, and how many of its characters are marked. */
type Reviewed = {readonly argumentsHash: string; readonly markedCharacters: number};

/**
The hash that a command sends for a call: of its arguments, or if they have marked characters (docs/approvals.md, Marked characters), one that no list
has; it is printed under the page that shows the marks.
*/
export function reviewHash({argumentsHash, markedCharacters}: Reviewed): string {
	return markedCharacters === 0 ? argumentsHash : hashJson({argumentsHash, markedCharacters});
}

/** The hash of the arguments that an answer is about. Throws `bad_usage` for an answer to marked characters that nobody was shown. */
export function reviewedHash(given: string, call: Reviewed): string {
	if (given === reviewHash(call)) {
		return call.argumentsHash;
	}

	if (given === call.argumentsHash) {
		throw unreviewed();
	}

	return given;
}

/** The refusal of a decision on marked arguments without their reviewed hash. */
export function unreviewed(): Problem {
	return new Problem('bad_usage', {
		message:
			'Some of its characters are marked. Run the command without --hash, read the page, and pass the hash printed under it',
	});
}
