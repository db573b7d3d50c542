// The extension of ttrpc (Sources/Framing/Documentation.docc/Protocol.md) below containerd's own client, which is used
// as it is. A Connection stands between that client and the server. It adds Hello, Ping and GoAway, and streams with
// Credit and Cancel.
package main

import (
	"encoding/binary"
	"io"
	"net"
	"sync"

	"github.com/containerd/ttrpc"
	"github.com/gogo/protobuf/proto"
	"google.golang.org/grpc/status"
)

const (
	typeRequest, typeResponse, typeData        = 0x01, 0x02, 0x03
	typeHello, typeCancel, typePing            = 0x10, 0x11, 0x12
	typePong, typeGoAway, typeCredit           = 0x13, 0x14, 0x15
	flagRemoteClosed, flagNoData               = 0x01, 0x04
	connectionID                        uint32 = 0xFFFFFFFF
)

// Hello has the fields that this client uses.
type Hello struct {
	Version        uint32 `protobuf:"varint,1,opt,name=version,proto3"`
	Software       string `protobuf:"bytes,2,opt,name=software,proto3"`
	InitialCredit  uint32 `protobuf:"varint,3,opt,name=initial_credit,proto3"`
	MaximumStreams uint32 `protobuf:"varint,5,opt,name=maximum_streams,proto3"`
}

type GoAway struct {
	LastStreamID uint32 `protobuf:"varint,1,opt,name=last_stream_id,proto3"`
	Reason       string `protobuf:"bytes,2,opt,name=reason,proto3"`
}

func (m *Hello) Reset()          { *m = Hello{} }
func (m *Hello) String() string  { return proto.CompactTextString(m) }
func (*Hello) ProtoMessage()     {}
func (m *GoAway) Reset()         { *m = GoAway{} }
func (m *GoAway) String() string { return proto.CompactTextString(m) }
func (*GoAway) ProtoMessage()    {}

type frame struct {
	id          uint32
	kind, flags byte
	data        []byte
}

func readFrame(from io.Reader) (f frame, err error) {
	var header [10]byte
	if _, err = io.ReadFull(from, header[:]); err != nil {
		return
	}
	data := make([]byte, binary.BigEndian.Uint32(header[:]))
	_, err = io.ReadFull(from, data)
	return frame{binary.BigEndian.Uint32(header[4:]), header[8], header[9], data}, err
}

func writeFrame(to io.Writer, f frame) error {
	bytes := make([]byte, 10, 10+len(f.data))
	binary.BigEndian.PutUint32(bytes, uint32(len(f.data)))
	binary.BigEndian.PutUint32(bytes[4:], f.id)
	bytes[8], bytes[9] = f.kind, f.flags
	_, err := to.Write(append(bytes, f.data...))
	return err
}

// A Connection numbers the calls of containerd's client and its own streams, in the order in which they are sent.
type Connection struct {
	server, plain        net.Conn // plain: the end of a pipe; containerd's client has the other one
	hello, pongs, goAway chan []byte
	mutex                sync.Mutex // guards writes to the server, and the fields below
	nextID               uint32
	receivers            map[uint32]func(frame) // by stream: takes each frame that answers a call
}

// Connect sends Hello, and does not wait for the answer: a plain server sends none. Each stream may begin with as many
// messages as the credit says.
func Connect(server net.Conn, credit uint32) (*Connection, *ttrpc.Client) {
	plain, client := net.Pipe()
	c := &Connection{
		server: server, plain: plain, nextID: 1, receivers: map[uint32]func(frame){},
		hello: make(chan []byte, 1), pongs: make(chan []byte, 1), goAway: make(chan []byte, 1),
	}
	hello, _ := proto.Marshal(&Hello{Version: 1, Software: "go-example", InitialCredit: credit})
	c.send(connectionID, typeHello, hello)
	go c.forwardRequests()
	go c.receive()
	return c, ttrpc.NewClient(client)
}

func (c *Connection) send(id uint32, kind byte, data []byte) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return writeFrame(c.server, frame{id, kind, 0, data})
}

func (c *Connection) sendRequest(flags byte, data []byte, receiver func(frame)) (id uint32, err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	id = c.nextID
	c.nextID += 2
	c.receivers[id] = receiver
	return id, writeFrame(c.server, frame{id, typeRequest, flags, data})
}

func (c *Connection) forwardRequests() {
	for request, err := readFrame(c.plain); err == nil; request, err = readFrame(c.plain) {
		theirs := request.id
		c.sendRequest(request.flags, request.data, func(answer frame) {
			answer.id = theirs
			writeFrame(c.plain, answer)
		})
	}
	c.server.Close()
}

func (c *Connection) receive() {
	for f, err := readFrame(c.server); err == nil; f, err = readFrame(c.server) {
		switch f.kind {
		case typeHello:
			c.hello <- f.data
		case typePing:
			c.send(connectionID, typePong, f.data)
		case typePong:
			c.pongs <- f.data
		case typeGoAway:
			c.goAway <- f.data
		case typeResponse, typeData:
			c.mutex.Lock()
			receiver := c.receivers[f.id]
			if f.kind == typeResponse || f.flags&flagRemoteClosed != 0 {
				delete(c.receivers, f.id)
			}
			c.mutex.Unlock()
			if receiver != nil {
				receiver(f)
			}
		}
	}
	c.plain.Close()
}

// Ping returns when the server has answered. Everything that the server sent before has then been received.
func (c *Connection) Ping(data [8]byte) (isSame bool) {
	c.send(connectionID, typePing, data[:])
	return string(<-c.pongs) == string(data[:])
}

// A Stream keeps the frames that arrive before they are read. Credit bounds them.
type Stream struct {
	connection *Connection
	id         uint32
	frames     chan frame
}

// OpenStream calls a method with one request.
func (c *Connection) OpenStream(service, method string, request proto.Message) (*Stream, error) {
	payload, err := proto.Marshal(request)
	if err != nil {
		return nil, err
	}
	data, err := proto.Marshal(&ttrpc.Request{Service: service, Method: method, Payload: payload})
	if err != nil {
		return nil, err
	}
	s := &Stream{connection: c, frames: make(chan frame, 100)}
	s.id, err = c.sendRequest(flagRemoteClosed, data, func(answer frame) { s.frames <- answer })
	return s, err
}

// Receive returns an encoded message, the status of a failed call, or io.EOF after the last message.
func (s *Stream) Receive() ([]byte, error) {
	f, isOpen := <-s.frames
	switch {
	case !isOpen || f.flags&flagNoData != 0:
		return nil, io.EOF
	case f.kind == typeResponse:
		var response ttrpc.Response
		if err := proto.Unmarshal(f.data, &response); err != nil {
			return nil, err
		}
		return response.Payload, status.ErrorProto(response.Status)
	case f.flags&flagRemoteClosed != 0:
		close(s.frames)
	}
	return f.data, nil
}

// Grant lets the server send more messages.
func (s *Stream) Grant(messages uint32) error {
	return s.connection.send(s.id, typeCredit, binary.BigEndian.AppendUint32(nil, messages))
}

// Cancel stops the call. The server sends nothing more on its stream.
func (s *Stream) Cancel() error { return s.connection.send(s.id, typeCancel, nil) }
