import {safeText} from '../../util/safe-text.ts';

/** One metric with a value for each set of labels, written in Prometheus text. */
export type Series = {
	/** Adds to the value of a set of labels; `values` are in the order of the label names. */
	readonly add: (values: readonly string[], amount?: number) => void;
	readonly text: () => string;
};

/** Bound on the sets of labels, for the memory of their reader: later ones count as `other`. */
const maxSets = 300;

/** Opens a metric without a value. A counter's name ends in `_total`. */
export function createSeries(
	name: string,
	options: {
		readonly kind: 'counter' | 'gauge';
		readonly help: string;
		readonly labels?: readonly string[];
	},
): Series {
	const {kind, help, labels = []} = options;
	const values = new Map<string, number>();
	const keyOf = (given: readonly string[]) => {
		const key = labels.map((label, index) => `${label}="${labelValue(given[index] ?? '')}"`).join(',');
		return values.has(key) || values.size < maxSets ? key : labels.map(label => `${label}="other"`).join(',');
	};

	return {
		add(given, amount = 1) {
			const key = keyOf(given);
			values.set(key, (values.get(key) ?? 0) + amount);
		},
		text() {
			const head = [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`];
			const lines = [...values].map(([key, value]) => `${name}${key === '' ? '' : `{${key}}`} ${value}`);
			return [...head, ...lines, ''].join('\n');
		},
	};
}

/** Names of routes and servers come from outside. */
function labelValue(text: string): string {
	return safeText(text, {maximumCharacters: 100}).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}
