import {RE2JS} from 're2js';
import {errorText, Problem} from './problem.ts';
import {safeText} from './safe-text.ts';

/** A regular expression whose running time grows linearly with the text, for any pattern. */
export type Pattern = {
	/** True when the pattern occurs anywhere in the text. */
	readonly test: (text: string) => boolean;
};

const longestNotationCharacters = 200;

/**
Compiles RE2 notation. Look-around, back-references and repeats over 1000 have no linear-time form:
they are returned as a Problem `pattern_refused` that names the construct (docs/webhook-routes.md, Filters).
*/
export function compilePattern(notation: string): Pattern | Problem {
	try {
		const compiled = RE2JS.compile(notation);
		// Not a matcher: that one tracks positions and groups, and may take a hundred times as long.
		return {test: text => compiled.test(text)};
	} catch (error) {
		const shown = safeText(notation, {maximumCharacters: longestNotationCharacters});
		const reason = safeText(errorText(error).replace(/^error parsing regexp: /u, ''), {
			maximumCharacters: longestNotationCharacters,
		});
		return new Problem('pattern_refused', {message: `The pattern "${shown}" is not allowed: ${reason}`, cause: error});
	}
}
