import {safeText} from '../../util/safe-text.ts';
import {type DeliveryTarget} from '../target.ts';

const maximumCharacters = 20_000;

/** Gateway log output, the default target: one line, nothing in it can act on a terminal. */
export const log = {
	name: 'log',
	async deliver({text, route}, {publish, signal}) {
		signal.throwIfAborted();
		publish({
			type: 'log',
			level: 'info',
			area: 'delivery',
			text: `${safeText(route)}: ${safeText(text, {maximumCharacters})}`,
		});
	},
} satisfies DeliveryTarget & {readonly name: 'log'};
