// The tools that the conformance suite wants to find on a server, on a server of ours.
import { tool } from '@toolwright/core'
import { blocks, type Offered, offer } from '../../src/index.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='
const text = (said: string) => ({ type: 'text' as const, text: said })
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' }

export const fixture = (): Offered =>
  offer({
    name: 'toolwright-fixture',
    tools: [
      tool('test_simple_text', {
        about: 'Gives a text.',
        run: () => 'This is a simple text response for testing.',
      }),
      tool('test_image_content', { about: 'Gives a picture.', run: () => blocks([image]) }),
      tool('test_audio_content', {
        about: 'Gives a sound.',
        run: () => blocks([{ type: 'audio', data: WAV, mimeType: 'audio/wav' }]),
      }),
      tool('test_embedded_resource', {
        about: 'Gives a resource.',
        run: () =>
          blocks([
            {
              type: 'resource',
              resource: {
                uri: 'test://embedded-resource',
                mimeType: 'text/plain',
                text: 'This is an embedded resource content.',
              },
            },
          ]),
      }),
      tool('test_multiple_content_types', {
        about: 'Gives several kinds.',
        run: () =>
          blocks([
            text('Multiple content types test:'),
            image,
            {
              type: 'resource',
              resource: {
                uri: 'test://mixed-content-resource',
                mimeType: 'application/json',
                text: '{"test":"data","value":123}',
              },
            },
          ]),
      }),
      tool('test_error_handling', {
        about: 'Fails.',
        run: () => {
          throw new Error('This tool intentionally returns an error for testing')
        },
      }),
      tool('test_tool_with_progress', {
        about: 'Tells how far it is.',
        run: (_, ctx) => {
          for (const done of [0, 50, 100]) ctx.progress(`${done}/100`)
          return 'done'
        },
      }),
      tool('json_schema_2020_12_tool', {
        about: 'Tool with JSON Schema 2020-12 features',
        input: {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          $defs: {
            address: {
              $anchor: 'addressDef',
              type: 'object',
              properties: { street: { type: 'string' }, city: { type: 'string' } },
            },
          },
          properties: {
            name: { type: 'string' },
            address: { $ref: '#/$defs/address' },
            contactMethod: { type: 'string', enum: ['phone', 'email'] },
            phone: { type: 'string' },
            email: { type: 'string' },
          },
          allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
          if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          then: { required: ['phone'] },
          else: { required: ['email'] },
          additionalProperties: false,
        } as const,
        run: () => 'read',
      }),
      tool('test_custom_header', {
        about: 'Has a value that is sent as a header too.',
        input: {
          type: 'object',
          properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
          required: ['region'],
        } as const,
        run: () => 'read',
      }),
    ],
  })
