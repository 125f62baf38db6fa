import {McpServer} from '@modelcontextprotocol/server';
import {z} from 'zod';

const books = [
	{title: 'The Patient Gardener', shelf: 'B 12'},
	{title: 'A Field Guide to Slugs', shelf: 'B 14'},
	{title: 'Rain, and What to Do About It', shelf: 'C 3'},
	{title: 'Compost for the Impatient', shelf: 'B 12'},
	{title: 'Letters from a Greenhouse', shelf: 'E 7'},
];

/** A tool server with the books of a library that does not exist; only for those who logged in. */
export function createLibraryServer(): McpServer {
	const server = new McpServer({name: 'library', title: 'Library', version: '1.0.0'});

	server.registerTool(
		'find_book',
		{
			title: 'Find a book',
			description: 'Where a book stands, by words of its title.',
			inputSchema: z.object({words: z.string().min(1).max(100)}),
			annotations: {readOnlyHint: true, openWorldHint: false},
		},
		({words}) => {
			const found = books.filter(({title}) => title.toLowerCase().includes(words.toLowerCase()));
			const lines = found.map(({title, shelf}) => `${title}: shelf ${shelf}`);
			return {content: [{type: 'text', text: lines.length > 0 ? lines.join('\n') : 'No such book.'}]};
		},
	);

	return server;
}
