import {type Tone} from '../../state/entities/status-text.ts';

const hunk = /^@@ -\d+(?:,(?<before>\d+))? \+\d+(?:,(?<after>\d+))? @@/u;

/**
Creates the reader of a text that may be a unified diff (https://www.gnu.org/software/diffutils/manual/html_node/Detailed-Unified.html): it takes line after line, and
answers with the tone of those that a hunk removes or adds. A hunk ends after the lines that its head counts, and at a line that can be none of it.
*/
export function createPatchReader(): (line: string) => Tone | undefined {
	let left = {before: 0, after: 0};
	return line => {
		if (left.before <= 0 && left.after <= 0) {
			const head = hunk.exec(line);
			left = head ? {before: countOf(head, 'before'), after: countOf(head, 'after')} : left;
			return head ? 'accent' : undefined;
		}

		const kind = kindOf(line);
		switch (kind) {
			case 'removed':
				left = {...left, before: left.before - 1};
				return kind;
			case 'added':
				left = {...left, after: left.after - 1};
				return kind;
			case 'same':
				left = {before: left.before - 1, after: left.after - 1};
				return undefined;
			case 'note':
				return undefined;
			case 'other':
				left = {before: 0, after: 0};
				return undefined;
		}
	};
}

function countOf({groups}: RegExpExecArray, name: 'before' | 'after'): number {
	return Number(groups?.[name] ?? 1);
}

/** An unchanged empty line is a blank, which has a sign at the end of a line, or nothing where an editor removed that. */
function kindOf(line: string): 'removed' | 'added' | 'same' | 'note' | 'other' {
	switch (line[0]) {
		case '-':
			return 'removed';
		case '+':
			return 'added';
		case ' ':
		case '␠':
		case '␍':
		case undefined:
			return 'same';
		case '\\':
			return 'note';
		default:
			return 'other';
	}
}
