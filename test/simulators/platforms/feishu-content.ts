/*
What a reader sees of a Feishu message's content, from
https://open.feishu.cn/document/server-docs/im-v1/message-content-description/create_json (text, post, interactive).
*/
import {z} from 'zod';

const postTag = z.looseObject({tag: z.string(), text: z.string().optional()});
export const post = z.record(
	z.enum(['zh_cn', 'en_us', 'ja_jp']),
	z.strictObject({title: z.string().optional(), content: z.array(z.array(postTag))}).optional(),
);
export const card = z.looseObject({});

/** Text of a rich post: paragraphs are lines, tags are put together. */
export function visiblePost(content: z.output<typeof post>): string {
	const [language] = Object.values(content);
	const lines = language?.content.map(line => line.map(tag => tag.text ?? '').join('')) ?? [];
	return [...(language?.title ? [language.title] : []), ...lines].join('\n');
}

/** Text of a card: every `content` string in it, in order. */
export function visibleCard(value: unknown): string {
	const parts: string[] = [];
	const walk = (node: unknown) => {
		if (Array.isArray(node)) {
			node.forEach(walk);
		} else if (typeof node === 'object' && node !== null) {
			for (const [key, inner] of Object.entries(node)) {
				if (key === 'content' && typeof inner === 'string') {
					parts.push(inner);
				} else {
					walk(inner);
				}
			}
		}
	};
	walk(value);
	return parts.join('\n');
}
