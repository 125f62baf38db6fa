import {isJsonObject} from '../util/json-text.ts';
import {type Problem} from '../util/problem.ts';
import {toBoolean} from './bool-like.ts';
import {toTexts} from './text-like.ts';
import {valueAt} from './plain-value.ts';
import {type Section, tell} from './section.ts';

/** A key that is known but not built. `refuse`: going on without it would be unsafe. `ignore`: it has no effect, and a warning says so. */
export type UnbuiltKey = {
	readonly path: readonly string[];
	/** Completes "not supported yet: …". Default: the last key. */
	readonly told?: (value: unknown) => string;
	readonly effect: 'refuse' | 'ignore';
	/** False for values that ask for nothing. */
	readonly asks: (value: unknown) => boolean;
};

const always = () => true;
const isOn = (value: unknown) => toBoolean(value) === true;
const isNotOff = (value: unknown) => toBoolean(valueAt(value, ['enabled'])) !== false;
const hasEntries = (value: unknown) => (toTexts(value)?.length ?? 0) > 0;
const hasMembers = (value: unknown) => isJsonObject(value) && Object.keys(value).length > 0;
const namesModel = (value: unknown) => hasMembers(value) && valueAt(value, ['provider']) !== 'none';

/** Keys of a server entry. */
export const unbuiltServerKeys: readonly UnbuiltKey[] = [
	{path: ['auth'], told: () => 'oauth', effect: 'refuse', asks: always},
	{path: ['oauth'], effect: 'refuse', asks: always},
];

/** Keys of a route. */
export const unbuiltRouteKeys: readonly UnbuiltKey[] = [
	{path: ['skills'], effect: 'ignore', asks: hasEntries},
	{path: ['toolsets'], effect: 'ignore', asks: hasEntries},
];

/** Keys of the root. */
export const unbuiltRootKeys: readonly UnbuiltKey[] = [
	{path: ['model'], effect: 'ignore', asks: namesModel},
	{path: ['vision_model'], effect: 'ignore', asks: namesModel},
	{path: ['search'], effect: 'ignore', asks: namesModel},
	{path: ['agent', 'max_steps'], told: () => 'agent.max_steps', effect: 'ignore', asks: always},
	{path: ['agent', 'instructions'], told: () => 'agent.instructions', effect: 'ignore', asks: always},
	{path: ['platform_toolsets'], effect: 'ignore', asks: hasMembers},
	{path: ['metrics'], effect: 'ignore', asks: value => isOn(valueAt(value, ['enabled']))},
	{path: ['gateway', 'endpoint'], told: () => 'gateway.endpoint', effect: 'ignore', asks: isNotOff},
];

/** Tells about every unbuilt key that `value` uses. The answer is the first one that refuses the section, if any. */
export function reportUnbuilt(rows: readonly UnbuiltKey[], value: unknown, section: Section): Problem | undefined {
	const refusals = rows.map(row => {
		const found = valueAt(value, row.path);
		if (found === undefined || found === null || !row.asks(found)) {
			return undefined;
		}

		const name = row.told?.(found) ?? row.path.at(-1) ?? '';
		const problem = tell(section, {
			code: 'not_supported_yet',
			level: row.effect === 'refuse' ? 'error' : 'warning',
			key: row.path,
			message: `not supported yet: ${name}${row.effect === 'ignore' ? ' (it has no effect)' : ''}`,
		});
		return row.effect === 'refuse' ? problem : undefined;
	});
	return refusals.find(problem => problem !== undefined);
}
