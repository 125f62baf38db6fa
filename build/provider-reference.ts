import {type LaterAnswer, type MessageSource} from '../source/config/webhooks/presets/preset.ts';
import {presetNames, presets} from '../source/config/webhooks/presets/preset-table.ts';
import {messageSourceText, secondsText} from '../source/config/webhooks/presets/preset-text.ts';
import {cell, codeCell, table} from './generated-part.ts';

/** The table of providers in docs/providers.md. */
export function providerReference(): string {
	const rows = presetNames.map(name => {
		const {title, documentation, signature, eventType, deliveryId, answerSeconds, answers, retrySeconds, verified} =
			presets[name];
		return [
			`[${cell(title)}](${documentation})`,
			codeCell(name),
			signature.header === undefined ? '–' : codeCell(signature.header),
			sourceCell(eventType),
			sourceCell(deliveryId),
			answerSeconds === undefined ? '–' : secondsText(answerSeconds),
			answers ? laterText(answers.later) : '–',
			retrySeconds === undefined ? '–' : secondsText(retrySeconds),
			cell(verified),
		];
	});
	const titles = [
		'Provider',
		'`signature`',
		'Signature',
		'Event type',
		'Delivery id',
		'Answer within',
		'Later result',
		'Sends again for',
	];
	return table([...titles, 'Verified by'], rows);
}

function laterText(later: LaterAnswer): string {
	return later.by === 'platform' ? `by ${codeCell(later.platform)}` : `within ${secondsText(later.validSeconds)}`;
}

function sourceCell(source: MessageSource | undefined): string {
	const text = messageSourceText(source);
	return text === undefined ? 'as for any sender' : cell(text);
}
