import {isJsonObject, type JsonObject, type JsonValue} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {type CommandFlags} from '../cli/command-context.ts';

/** The name under which a subscription is kept (docs/webhooks.md, Answers). Throws `bad_usage` for one that cannot be made to fit. */
export function subscriptionName(typed: string): string {
	const name = typed.trim().toLowerCase().replaceAll(/\s/gu, '-');
	if (!/^[a-z0-9][a-z0-9_-]*$/u.test(name)) {
		throw new Problem('bad_usage', {
			message: 'The name of a subscription has letters a-z, digits, - and _ only, and begins with a letter or digit',
		});
	}

	return name;
}

/**
The entry that the flags ask for. On update what no flag names stays as it was, the secret above all; an empty text takes a key away.
`created` is what a new entry gets beside: its secret and its time.
*/
export function subscriptionEntry(
	previous: JsonValue | undefined,
	flags: CommandFlags,
	created: {readonly secret: string; readonly created_at: string},
): JsonObject {
	const before: JsonObject = isJsonObject(previous) ? previous : {created_at: created.created_at};
	const changes: Readonly<Record<string, JsonValue | undefined>> = {
		description: flags.description,
		events: flags.events === undefined ? undefined : listOf(flags.events),
		prompt: flags.prompt,
		deliver: flags.deliver,
		deliver_extra: withChat(before['deliver_extra'], flags.deliverChatId),
		deliver_only: flags.deliverOnly,
		cron_job: flags.cronJob,
		profile: flags.routeProfile,
	};
	const asked = Object.entries(changes).filter(([, value]) => value !== undefined);
	const merged = Object.entries({secret: created.secret, ...before, ...Object.fromEntries(asked)});
	return Object.fromEntries(merged.filter(([key, value]) => !(key in changes && isEmpty(value))));
}

function listOf(csv: string): JsonValue {
	return csv
		.split(',')
		.map(event => event.trim())
		.filter(event => event !== '');
}

function withChat(extra: JsonValue | undefined, chatId: string | undefined): JsonValue | undefined {
	if (chatId === undefined) {
		return undefined;
	}

	const {chat_id: _, ...others} = isJsonObject(extra) ? extra : {};
	return chatId === '' ? others : {...others, chat_id: chatId};
}

function isEmpty(value: JsonValue | undefined): boolean {
	return value === undefined || value === '' || value === false || (typeof value === 'object' && isHollow(value));
}

function isHollow(value: object | null): boolean {
	return value !== null && Object.keys(value).length === 0;
}
