/*
Made from https://www.twilio.com/docs/messaging/guides/webhook-request (the form), https://www.twilio.com/docs/messaging/twiml (`<Response>`, `<Message>`,
plain text) and https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides (15 seconds).
*/
import {decodeXML} from 'entities';
import {providerOf} from '../../webhooks/provider-messages.ts';
import {postWithin} from './waiting-caller.ts';

/** A person sends a message to the number of an account; the address of its webhook is that of the provider's messages. */
export function openTwilioMessages() {
	return {
		/** The messages that the person gets in answer, or the error of Twilio's debugger. */
		async send(
			url: string,
			{text, from = '+15550100002', id}: {readonly text: string; readonly from?: string; readonly id?: string},
		) {
			const fields = {MessageSid: 'SM1', From: from, To: '+15550001111', Body: text};
			const {body, headers} = providerOf('twilio').send(JSON.stringify(fields), 0);
			const named = id !== undefined && {'i-twilio-idempotency-token': id};
			const given = await postWithin(15, url, {headers: {...headers, ...named}, body});
			if (given.kind === 'gave-up') {
				return '11205 HTTP connection failure';
			}

			if (given.status !== 200) {
				return `11200 HTTP retrieval failure: ${given.status} ${given.text}`;
			}

			return /^(?:text|application)\/xml\b/u.test(given.type) ? messagesOf(given.text) : [given.text];
		},
	};
}

const document =
	/^(?:<\?xml[^?]*\?>)?\s*(?:<Response\s*\/>|<Response>(?<inside>(?:<[A-Z]\w*>[^<]*<\/[A-Z]\w*>)*)<\/Response>)\s*$/u;

/** The texts of `<Message>`; every other verb is shown by its name. */
function messagesOf(xml: string): readonly string[] | string {
	const found = document.exec(xml);
	if (!found || /&(?!#?\w+;)/u.test(xml)) {
		return '12100 Document parse failure';
	}

	return [...(found.groups?.['inside'] ?? '').matchAll(/<(\w+)>([^<]*)<\/(\w+)>/gu)].map(([, verb, text = '', end]) =>
		verb === 'Message' && end === verb ? decodeXML(text) : `<${verb}>`,
	);
}
