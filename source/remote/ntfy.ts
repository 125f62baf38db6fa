import {ownMember} from '../util/json-text.ts';
import {type Channel, type ChannelMessage} from './channel.ts';
import {type NtfySettings} from './channel-settings.ts';
import {type ChannelTools, endWithoutAnswer, quotedReason} from './platform-call.ts';

/** A longer message becomes an attachment (docs.ntfy.sh/publish). */
const maxMessageBytes = 4096;
const maxTitleUnits = 200;
/** A server admits one more request after so long (docs.ntfy.sh/publish/#limitations). */
const refillMilliseconds = 5000;

/** The first line of a message is its title; a notice has no buttons. */
function toNtfy({parts}: ChannelMessage): {readonly title: string; readonly message: string} {
	const [title = '', ...lines] = parts
		.map(({text}) => text)
		.join('\n')
		.split('\n');
	return {
		title: title.slice(0, maxTitleUnits),
		message: [title.slice(maxTitleUnits), ...lines].join('\n').trim() || title,
	};
}

/** The server and the topic of an address such as https://ntfy.sh/topic. Throws when it is not a URL. */
function addressOf(written: string): {readonly server: URL; readonly topic: string} {
	const server = new URL(written);
	const segments = server.pathname.split('/').filter(Boolean);
	server.pathname = segments.slice(0, -1).join('/');
	return {server, topic: decodeURIComponent(segments.at(-1) ?? '')};
}

/** Creates a channel of notices: publishing as JSON (docs.ntfy.sh/publish/#publish-as-json). Throws when `url` is not a URL. */
export function createNtfy({url, token}: NtfySettings, {call}: ChannelTools): Channel {
	const {server, topic} = addressOf(url);
	return {
		fits: message => Buffer.byteLength(toNtfy(message).message) <= maxMessageBytes,
		async send(message, signal) {
			const headers: Readonly<Record<string, string>> = token === '' ? {} : {Authorization: `Bearer ${token}`};
			const reply = await call({url: server, headers, json: {topic, ...toNtfy(message)}, signal});
			if (reply.kind !== 'reply') {
				return endWithoutAnswer('ntfy', reply);
			}

			const id = ownMember(reply.json, 'id');
			if (reply.status === 200 && typeof id === 'string') {
				return {kind: 'sent', address: {chat: topic, message: id}};
			}

			const error = ownMember(reply.json, 'error');
			const text = `ntfy refused the message: ${quotedReason(error)}`;
			if (error === undefined) {
				return endWithoutAnswer('ntfy', reply);
			}

			return reply.status === 429
				? {kind: 'refused', message: text, retryAfter: refillMilliseconds}
				: {kind: 'refused', message: `${text}. Check \`url\` and \`token\``};
		},
	};
}
