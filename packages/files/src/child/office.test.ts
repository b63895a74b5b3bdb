import { describe, expect, test } from 'vitest'
import { docxOf, p, relationsOf, xlsxOf, zipOf } from '../../test/support/office.ts'
import { defaultLimits } from '../limits.ts'
import type { Told } from './answer.ts'
import { office } from './office.ts'

const read = (bytes: Buffer): Told => office(bytes, { kind: 'zip', limits: defaultLimits })
const refused = (code: string, problem: string) =>
  expect.objectContaining({ code, problem: expect.stringContaining(problem) })

describe('a DOCX', () => {
  test('is told with its headings, lists and tables', () => {
    const cell = (inside: string): string => `<w:tc>${inside}</w:tc>`
    const body = [
      p('Report', '<w:pStyle w:val="Title"/>'),
      p('First', '<w:pStyle w:val="Heading2"/><w:tabs><w:tab w:val="left"/></w:tabs>'),
      p('Bread &amp; butter &#8364;'),
      p('one', '<w:numPr/>'),
      '<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r></w:p>',
      `<w:tbl><w:tr>${cell(p('k'))}${cell(p('v'))}</w:tr><w:tr>${cell(p('1') + p('2'))}${cell('')}</w:tr></w:tbl>`,
      p('End'),
    ].join('')
    expect(read(docxOf(body))).toEqual({
      type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      text: '# Report\n\n## First\n\nBread & butter €\n\n- one\n\na\tb\nc\n\n| k | v |\n| 1 2 |  |\n\nEnd',
      notes: [],
    })
  })

  test('says what was left out: pictures, deleted text, comments', () => {
    const body =
      '<w:p><w:r><w:drawing><wp:docPr id="1" descr="A cat"/></w:drawing></w:r><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>'
    const more = {
      'word/_rels/document.xml.rels': relationsOf(['rId1', 'comments', 'comments.xml']),
      'word/comments.xml': '<w:comments/>',
    }
    expect(read(docxOf(body, more))).toMatchObject({
      text: '[picture: A cat]new',
      notes: [
        'It holds a picture, not read.',
        'Text that is marked as deleted was left out.',
        'Its comments were left out.',
      ],
    })
  })

  test('is told with its footnotes, and its text boxes once', () => {
    const box = `<w:txbxContent>${p('boxed')}</w:txbxContent>`
    const body = `<w:p><w:r><w:t>Text</w:t><w:footnoteReference w:id="2"/><mc:AlternateContent><mc:Choice>${box}</mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent></w:r></w:p>`
    const more = {
      'word/_rels/document.xml.rels': relationsOf(['rId1', 'footnotes', 'footnotes.xml']),
      'word/footnotes.xml': `<w:footnotes><w:footnote w:id="2">${p('A note.')}</w:footnote></w:footnotes>`,
    }
    expect(read(docxOf(body, more)).text).toBe('boxed\n\nText[^2]\n\n[^2]: A note.')
  })

  test('without words says so', () => {
    expect(read(docxOf('<w:p/>'))).toMatchObject({ text: '', notes: ['It holds no words.'] })
  })

  test('expands no entity of its own', () => {
    const lol = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>'
    const bytes = docxOf('', { 'word/document.xml': `${lol}<w:document>${p('&b;&amp;')}</w:document>` })
    expect(read(bytes).text).toBe('&b;&')
  })

  test('whose main part is gone, or not what it was, is damaged', () => {
    expect(() => read(docxOf('', { 'word/document.xml': { data: p('x'), sum: 7 } }))).toThrow(
      refused('T9010', 'not what it was'),
    )
    const gone = docxOf('', { '_rels/.rels': relationsOf(['rId1', 'officeDocument', 'word/other.xml']) })
    expect(() => read(gone)).toThrow(refused('T9010', 'no part word/other.xml'))
  })
})

describe('an XLSX', () => {
  const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[Red]dd\\.mm\\.yyyy &quot;Uhr&quot;"/><numFmt numFmtId="165" formatCode="0.00 &quot;days&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="22"/></cellXfs></styleSheet>`

  test('is told sheet by sheet as CSV', () => {
    const first =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>in line</t></is></c></row><row r="2"/><row r="3"><c r="A3"><v>1.5</v></c><c r="D3" t="b"><v>1</v></c><c r="E3" t="e"><v>#REF!</v></c></row>'
    const texts = '<sst><si><r><t>rich </t></r><r><t>"text"</t></r><rPh><t>furigana</t></rPh></si></sst>'
    const bytes = xlsxOf(
      { One: first, 'A &amp; B': '<row><c><v>7</v></c><c><v>8</v></c></row>' },
      { 'xl/sharedStrings.xml': texts },
    )
    expect(read(bytes)).toEqual({
      type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      text: '[sheet One]\n"rich ""text""",in line\n1.5,,,TRUE,#REF!\n\n[sheet A & B]\n7,8',
      notes: [],
    })
  })

  test('shows dates as dates, and other numbers as numbers', () => {
    const cells = [0, 1, 2, 3].map(style => `<c s="${style}"><v>46090</v></c>`).join('')
    const row = `<row>${cells}<c s="4"><v>46090.604166666664</v></c><c s="1"><v>0.25</v></c></row>`
    expect(read(xlsxOf({ S: row }, { 'xl/styles.xml': styles })).text).toBe(
      '[sheet S]\n46090,2026-03-09,2026-03-09,46090,2026-03-09 14:30:00,06:00:00',
    )
    const late = xlsxOf(
      { S: '<row><c s="1"><v>44628</v></c></row>' },
      { 'xl/styles.xml': styles },
      '<workbookPr date1904="1"/>',
    )
    expect(read(late).text).toBe('[sheet S]\n2026-03-09')
  })

  test('shows formulas whose values are not in the file, and says so', () => {
    const row = '<row><c r="A1"><f>SUM(B1:B9)</f></c><c r="B1"><f>1+1</f><v>2</v></c></row>'
    expect(read(xlsxOf({ S: row }))).toMatchObject({
      text: '[sheet S]\n=SUM(B1:B9),2',
      notes: ['The values of 1 formulas are not in the file: the formulas are shown.'],
    })
  })

  test('names a column no further than there are columns', () => {
    expect(read(xlsxOf({ S: '<row><c r="ZZZ1"><v>1</v></c></row>' })).text.length).toBeLessThan(16_500)
  })

  test('says which sheet is not in the file', () => {
    const bytes = xlsxOf({ S: '<row><c><v>1</v></c></row>' }, { 'xl/_rels/workbook.xml.rels': relationsOf() })
    expect(read(bytes)).toMatchObject({
      notes: expect.arrayContaining(['Sheet "S" was not read: it is not in the file.']),
    })
  })
})

describe('another archive', () => {
  test.each([
    ['a PowerPoint presentation', { '[Content_Types].xml': '', 'ppt/presentation.xml': '' }],
    ['a binary Excel workbook', { '[Content_Types].xml': '', 'xl/workbook.bin': '' }],
    ['an OpenDocument file', { mimetype: 'application/vnd.oasis.opendocument.text' }],
    ['a zip archive', { 'a.txt': 'x', 'nested.zip': zipOf({ b: 'x' }) }],
  ])('is refused as %s', (what, parts) => {
    expect(() => read(zipOf(parts))).toThrow(refused('T9008', what))
  })
})
