import {type JsonObject} from '../util/json-text.ts';
import {type ChannelMessage, type MessagePart} from './channel.ts';

/**
Bounds of one message. Slack documents none for rich text; it refuses blocks from about 11,000 characters on (slackapi/bolt-js#2867) and recommends
4,000 for a text (docs.slack.dev/reference/methods/chat.postMessage). The others: docs.slack.dev/reference/block-kit/block-elements/button-element,
/blocks/actions-block.
*/
const maxTextUnits = 4000;
const maxParts = 200;
const maxRows = 40;
const maxButtonsOfRow = 25;
const maxLabelUnits = 75;
const maxValueUnits = 2000;

/**
A message for `chat.postMessage` and `chat.update`: one block of rich text, in which nothing is markup, a link or a mention, with foreign parts
preformatted, and a block of buttons for each row. `text` is for notifications: own words alone, without mentions.
*/
export function toSlack({parts, buttons}: ChannelMessage): JsonObject {
	const shown = parts.filter(({text}) => text !== '');
	const ownText = shown.filter(({kind}) => kind === 'own').map(({text}) => text);
	return {
		text: escapeSlack(ownText.join('\n')) || 'Sluice',
		mrkdwn: false,
		parse: 'none',
		link_names: false,
		blocks: [
			{type: 'rich_text', elements: joinOwnParts(shown).map(toRichText)},
			...buttons.map((row, rowIndex) => ({
				type: 'actions',
				elements: row.map(({label, value, tone}, index) => ({
					type: 'button',
					action_id: `sluice-${rowIndex}-${index}`,
					text: {type: 'plain_text', text: label, emoji: false},
					value,
					...(tone === 'danger' ? {style: 'danger'} : {}),
				})),
			})),
		],
	};
}

/** A preformatted text stands on lines of its own; others are one section, in which lines end as they are written. */
function joinOwnParts(parts: readonly MessagePart[]): readonly MessagePart[] {
	const joined: MessagePart[] = [];
	for (const part of parts) {
		const before = joined.at(-1);
		if (part.kind === 'own' && before?.kind === 'own') {
			joined[joined.length - 1] = {kind: 'own', text: `${before.text}\n${part.text}`};
		} else {
			joined.push(part);
		}
	}

	return joined;
}

function toRichText({kind, text}: MessagePart): JsonObject {
	return {
		type: kind === 'foreign' ? 'rich_text_preformatted' : 'rich_text_section',
		elements: [{type: 'text', text}],
	};
}

/** True if Slack takes the message and shows all of it. `&`, `<` and `>` count as Slack stores them. */
export function fitsSlack({parts, buttons}: ChannelMessage): boolean {
	const units = parts.reduce((sum, {text}) => sum + escapeSlack(text).length + 1, 0);
	return (
		units > parts.length &&
		units <= maxTextUnits &&
		parts.length <= maxParts &&
		buttons.length <= maxRows &&
		buttons.every(row => row.length > 0 && row.length <= maxButtonsOfRow) &&
		buttons
			.flat()
			.every(({label, value}) => label !== '' && label.length <= maxLabelUnits && value.length <= maxValueUnits)
	);
}

/** The three characters that Slack escapes (docs.slack.dev/messaging/formatting-message-text). */
export function escapeSlack(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The text as a person typed it. */
export function unescapeSlack(text: string): string {
	return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
