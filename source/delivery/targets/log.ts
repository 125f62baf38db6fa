import {safeText} from '../../util/safe-text.ts';
import {type DeliveryTarget} from '../target.ts';

const maximum = 20_000;

/** The gateway log, the default target: one line, safe for a terminal. */
export const log = {
	name: 'log',
	limit: {unit: 'code-points', maximum: Number.MAX_SAFE_INTEGER},
	repeat: () => 'unsafe',
	chat: () => ({kind: 'bound'}),
	async send({text, route}, {publish}) {
		const line = safeText(text, {maximumCharacters: maximum});
		// A job, or a person, has no route.
		const from = route === '' ? '' : `${safeText(route)}: `;
		publish({type: 'log', level: 'info', area: 'delivery', text: from + line});
		return {kind: 'sent'};
	},
} satisfies DeliveryTarget & {readonly name: 'log'};
