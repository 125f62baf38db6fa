import {expect, test} from 'vitest';
import {type AnswerType} from '../../../source/util/templates/answer-body.ts';
import {answerPieces} from '../../../source/webhooks/template/answer-pieces.ts';

const scope = {
	payload: {n: 5, name: 'a "b" <c>', nothing: null, list: [1, {x: '"'}], result: 'of the payload'},
	event: 'push',
	deliveryId: 'd',
	route: 'r',
};

test.each<[type: AnswerType, body: string | undefined, pieces: readonly string[]]>([
	['text/plain', undefined, ['', '']],
	['text/plain', 'a {result} b {name} {result}', ['a ', ' b a "b" <c> ', '']],
	['text/plain', 'no variable', ['no variable']],
	['text/plain', '{unknown} {event_type}', ['{unknown} push']],
	['text/xml', undefined, ['', '']],
	['text/xml', '<a b="{name}">{result}</a>', ['<a b="a &#34;b&#34; &#60;c&#62;">', '</a>']],
	['application/json', undefined, ['"', '"']],
	['application/json', '{"a":"{result}"}', ['{"a":"', '"}']],
	['application/json', '{"a":{result},"b":"{name}"}', ['{"a":"', '","b":"a \\"b\\" <c>"}']],
	[
		'application/json',
		'{"n":{n},"s":{name},"z":{nothing},"l":{list}}',
		['{"n":5,"s":"a \\"b\\" <c>","z":null,"l":[1,{"x":"\\""}]}'],
	],
	[
		'application/json',
		'{"a\\"b":{unknown},"c":"{unknown} {event_type}"}',
		['{"a\\"b":"{unknown}","c":"{unknown} push"}'],
	],
])('as %s, %j has the pieces %j', (contentType, body, pieces) => {
	expect(answerPieces({waitSeconds: 1, contentType, body}, scope)).toEqual({contentType, pieces});
});
