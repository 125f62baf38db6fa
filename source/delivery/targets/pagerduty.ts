import {cutText} from '../../util/json-text.ts';
import {defaultTitle, extraText} from '../chat.ts';
import {plainText} from '../dialects.ts';
import {addressBelow} from '../../net/address-below.ts';
import {parseDeliveryResponse, textAt} from '../parse-response.ts';
import {type DeliveryTarget} from '../target.ts';

const severities: readonly string[] = ['critical', 'error', 'warning', 'info'];
const longestSummary = 1024;

/** PagerDuty's Events API v2 (developer.pagerduty.com/docs/send-alert-event): the first line is the summary of an alert. Events with one key are one alert. */
export const pagerduty = {
	name: 'pagerduty',
	// An event has at most 512 KB.
	limit: {unit: 'bytes', maximum: 150_000},
	repeat: () => 'safe',
	chat: () => ({kind: 'bound'}),
	refuse(extra) {
		const {severity, key} = optionsOf(extra);
		if (!severities.includes(severity)) {
			return `severity is none of ${severities.join(', ')}`;
		}

		return key.length <= 255 ? undefined : 'dedup_key has more than 255 characters';
	},
	async send({text, extra, route, repeatKey}, {settings, call}) {
		const {severity, key} = optionsOf(extra);
		const plain = plainText(text).trim();
		const [firstLine = ''] = plain.split('\n');
		const answer = await call({
			url: addressBelow(settings.baseUrl, ['v2', 'enqueue']),
			json: {
				routing_key: settings.routingKey,
				event_action: 'trigger',
				dedup_key: key || repeatKey,
				payload: {
					summary: cutText(firstLine, longestSummary) || defaultTitle(route),
					source: defaultTitle(route),
					severity,
					custom_details: {text: plain},
				},
			},
		});
		return parseDeliveryResponse(answer, json => ({
			isTaken: textAt(json, 'status') === 'success',
			words: [textAt(json, 'status'), textAt(json, 'message')].filter(Boolean).join(': '),
		}));
	},
} satisfies DeliveryTarget & {readonly name: 'pagerduty'};

function optionsOf(extra: Parameters<typeof extraText>[0]) {
	return {severity: extraText(extra, 'severity') || 'error', key: extraText(extra, 'dedup_key')};
}
