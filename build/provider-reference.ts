import {type LaterAnswer, type MessageSource, type Preset} from '../source/config/webhooks/presets/preset.ts';
import {presetNames, presets} from '../source/config/webhooks/presets/preset-table.ts';
import {messageSourceText, secondsText} from '../source/config/webhooks/presets/preset-text.ts';
import {cell, codeCell, table} from './generated-part.ts';

/** The table of providers in docs/providers.md. */
export function providerReference(): string {
	const rows = presetNames.map(name => {
		const {title, documentation, signature, eventType, deliveryId, answers, verified, ...preset} = presets[name];
		return [
			`[${cell(title)}](${documentation})`,
			codeCell(name),
			signature.header === undefined ? 'in the body' : codeCell(signature.header),
			sourceCell(eventType),
			sourceCell(deliveryId),
			timeCell(preset.answerSeconds, preset),
			answers ? laterText(answers.later) : '–',
			timeCell(preset.retrySeconds, preset),
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

/** A time with a link to its page, if the documentation of the signature does not name it. */
function timeCell(seconds: number | undefined, {timesDocumentation: page}: Pick<Preset, 'timesDocumentation'>): string {
	const text = seconds === undefined ? '–' : secondsText(seconds);
	return seconds === undefined || page === undefined ? text : `[${text}](${page})`;
}

function sourceCell(source: MessageSource | undefined): string {
	const text = messageSourceText(source);
	return text === undefined ? 'as for any sender' : cell(text);
}
