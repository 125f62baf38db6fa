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
		publish({type: 'log', level: 'info', area: 'delivery', text: `${safeText(route)}: ${line}`});
		return {kind: 'sent'};
	},
} satisfies DeliveryTarget & {readonly name: 'log'};
