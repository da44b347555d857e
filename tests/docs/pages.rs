//! Reading the pages: their text, fenced blocks, headings and links.

use std::fs;
use std::path::Path;

use third_umpire_test_support::files::files_below;

/// The folder of the project.
pub const PROJECT: &str = env!("CARGO_MANIFEST_DIR");

/// A page of the documents.
pub struct Page {
    /// The path of the page from the project's folder on, with slashes.
    pub path: String,
    /// The lines of the page.
    pub lines: Vec<String>,
}

/// A fenced block of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What stands behind the opening fence.
    pub language: String,
    /// The place of its first line in the page, from 0.
    pub begins: usize,
    /// The lines between the fences.
    pub lines: Vec<String>,
}

impl Page {
    /// Reads a page.
    pub fn read(path: &str) -> Page {
        let text = fs::read_to_string(Path::new(PROJECT).join(path))
            .unwrap_or_else(|fault| panic!("{path}: {fault}"));
        Page { path: path.to_owned(), lines: text.lines().map(str::to_owned).collect() }
    }

    /// Reads all pages: README.md first, then those in docs/ in the order of their paths.
    pub fn all() -> Vec<Page> {
        let pages = files_below("docs", "md");
        let paths = pages.iter().map(|(path, _)| path.to_str().expect("a path in ASCII"));
        std::iter::once("README.md").chain(paths).map(Page::read).collect()
    }

    /// The whole text.
    pub fn text(&self) -> String {
        self.lines.join("\n")
    }

    /// The fenced blocks.
    pub fn blocks(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut open = false;
        for (at, line) in self.lines.iter().enumerate() {
            match (line.strip_prefix("```"), open) {
                (Some(language), false) => {
                    blocks.push(Block { language: language.to_owned(), begins: at + 1, lines: Vec::new() });
                    open = true;
                }
                (Some(rest), true) => {
                    assert_eq!(rest, "", "{}:{}: a fence that closes says nothing", self.path, at + 1);
                    open = false;
                }
                (None, true) => blocks.last_mut().expect("a block is open").lines.push(line.clone()),
                (None, false) => {}
            }
        }
        assert!(!open, "{}: a block has no end", self.path);
        blocks
    }

    /// Whether a block shows what the commands of the block before it print: it is a `text` block, and
    /// nothing is between the two.
    pub fn is_printed_by(&self, output: &Block, commands: &Block) -> bool {
        let between = commands.begins + commands.lines.len() + 1..output.begins - 1;
        let follows = self.lines[between].iter().all(String::is_empty);
        commands.language == "sh" && output.language == "text" && follows
    }

    /// The lines outside of fenced blocks.
    pub fn prose(&self) -> Vec<&str> {
        let mut open = false;
        let outside = self.lines.iter().filter(|line| {
            let fence = line.starts_with("```");
            open ^= fence;
            !open && !fence
        });
        outside.map(String::as_str).collect()
    }

    /// The anchors of its headings, as GitHub makes them.
    pub fn anchors(&self) -> Vec<String> {
        let headings = self.prose().into_iter().filter(|line| line.starts_with('#'));
        headings.map(|line| anchor(line.trim_start_matches('#').trim())).collect()
    }

    /// Where its links lead: the targets of `[text](target)`.
    pub fn links(&self) -> Vec<String> {
        let prose = self.prose().join("\n");
        prose.split("](").skip(1).map(|rest| rest.split(')').next().unwrap_or_default().to_owned()).collect()
    }
}

/// The anchor of a heading: lower case, blanks as hyphens, and nothing but letters, digits, hyphens and
/// underscores.
fn anchor(heading: &str) -> String {
    let letters = heading.to_lowercase();
    let letters = letters.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    letters.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

#[test]
fn a_page_is_read_as_github_shows_it() {
    let text = "# One, `two`: three\n[a](b.md#c) and\n[d\ne](f.md)\n```sh\n# no [heading](x)\n```\n## Dice_v1 & more\n```text\n```";
    let page = Page { path: String::new(), lines: text.lines().map(str::to_owned).collect() };
    assert_eq!(page.anchors(), ["one-two-three", "dice_v1--more"]);
    assert_eq!(page.links(), ["b.md#c", "f.md"]);
    let block = |language: &str, begins, lines: &[&str]| Block {
        language: language.to_owned(),
        begins,
        lines: lines.iter().map(|line| (*line).to_owned()).collect(),
    };
    assert_eq!(page.blocks(), [block("sh", 5, &["# no [heading](x)"]), block("text", 9, &[])]);
}
