import {type Problem} from '../../util/problem.ts';
import {readConfigText} from '../read/load-config.ts';
import {type KeyPath, keyPathText} from '../values/problem-list.ts';
import {webhookRefusals} from '../webhooks/refusals.ts';

/** A text of config.yaml, and the variables it is read with. */
export type ConfigText = {
	readonly text: string;
	readonly variable: (name: string) => string | undefined;
	readonly expand: (text: string) => string;
};

/** The problems that a start would report for the text `after` and not for `before`, in file order; `path` is the file that they name. */
export function changedProblems(path: string, before: ConfigText, after: ConfigText): readonly Problem[] {
	const known = new Set(problemsOf(path, before).map(identity));
	return problemsOf(path, after).filter(problem => !known.has(identity(problem)));
}

function problemsOf(path: string, {text, variable, expand}: ConfigText): readonly Problem[] {
	const {config} = readConfigText(path, text, variable);
	return [...config.problems, ...webhookRefusals(config.webhook, expand)];
}

/** The line of a problem moves with every line above it. */
function identity({code, level, message, place}: Problem): string {
	return JSON.stringify([code, level, message, place?.keyPath]);
}

/** The problem for which a change of the value at `path` is refused: any error, or a warning about that value. */
export function refusalOf(problems: readonly Problem[], path: KeyPath): Problem | undefined {
	const changed = keyPathText(path);
	const isAbout = ({place}: Problem) => {
		const key = place?.keyPath ?? '';
		return key !== '' && (isWithin(key, changed) || isWithin(changed, key));
	};
	return problems.find(({level}) => level === 'error') ?? problems.find(isAbout);
}

function isWithin(inner: string, outer: string): boolean {
	return inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);
}
