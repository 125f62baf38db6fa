import {z} from 'zod';

/*
The messages of a pretended Slack, made from its documentation: https://docs.slack.dev/reference/methods/chat.postMessage, /chat.update,
/chat.postEphemeral, https://docs.slack.dev/reference/block-kit/blocks/rich-text-block, /actions-block, /block-elements/button-element.
*/

const button = z.strictObject({
	type: z.literal('button'),
	action_id: z.string().min(1).max(255),
	text: z.strictObject({type: z.literal('plain_text'), text: z.string().min(1).max(75), emoji: z.boolean().optional()}),
	value: z.string().min(1).max(2000),
	style: z.enum(['primary', 'danger']).optional(),
});
const textElement = z.strictObject({type: z.literal('text'), text: z.string().min(1)});
const richText = z.strictObject({
	type: z.literal('rich_text'),
	elements: z
		.array(
			z.strictObject({
				type: z.enum(['rich_text_section', 'rich_text_preformatted']),
				elements: z.array(textElement).min(1),
			}),
		)
		.min(1),
});
const actions = z.strictObject({type: z.literal('actions'), elements: z.array(button).min(1).max(25)});

const content = {
	text: z.string().min(1).max(4000),
	blocks: z.array(z.discriminatedUnion('type', [richText, actions])).max(50),
	mrkdwn: z.literal(false),
	parse: z.literal('none'),
	link_names: z.literal(false),
};

/** The members of each method; another one is a fault, as Slack would ignore it. */
export const slackSchemas = {
	'chat.postMessage': z.strictObject({
		channel: z.string(),
		...content,
		unfurl_links: z.literal(false),
		unfurl_media: z.literal(false),
	}),
	'chat.update': z.strictObject({channel: z.string(), ts: z.string(), ...content}),
	'chat.postEphemeral': z.strictObject({
		channel: z.string(),
		user: z.string(),
		text: z.string().min(1),
		thread_ts: z.string().optional(),
		parse: z.literal('none'),
		link_names: z.literal(false),
	}),
} as const;

/** A message of the app, as a person sees it. */
export type SlackMessage = {
	readonly channel: string;
	readonly ts: string;
	/** The text of a notification. */
	readonly notification: string;
	/** Each piece of rich text: with `code`, preformatted. */
	readonly pieces: ReadonlyArray<{readonly kind: 'section' | 'code'; readonly text: string}>;
	readonly buttons: ReadonlyArray<ReadonlyArray<z.infer<typeof button>>>;
	readonly edits: number;
};

type Blocks = z.infer<(typeof slackSchemas)['chat.update']>['blocks'];

/** The parts of a message that a person sees. */
export function shownBlocks(blocks: Blocks): Pick<SlackMessage, 'pieces' | 'buttons'> {
	return {
		pieces: blocks.flatMap(block =>
			block.type === 'rich_text'
				? block.elements.map(({type, elements}) => ({
						kind: type === 'rich_text_preformatted' ? ('code' as const) : ('section' as const),
						text: elements.map(({text}) => text).join(''),
					}))
				: [],
		),
		buttons: blocks.flatMap(block => (block.type === 'actions' ? [block.elements] : [])),
	};
}
